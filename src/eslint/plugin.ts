// A plugin for ESLint and oxlint. CommonJS gets the same object by `require('toolwright/eslint')`.
import { declaredProperties } from './declaredProperties.js';

/** The plugin's name, for ESLint's messages and caches. */
export const meta = { name: 'toolwright' } as const;

/**
 * The plugin's rules, with what only the sources show (docs/contract.md, 2.13). ESLint needs a parser of TypeScript for
 * them, such as that of typescript-eslint; oxlint reads it by itself.
 *
 * @example
 * import toolwright from 'toolwright/eslint';
 * import { defineConfig } from 'eslint/config';
 * import tseslint from 'typescript-eslint';
 * export default defineConfig(tseslint.configs.base, {
 *   plugins: { toolwright },
 *   rules: { 'toolwright/declared-properties': 'error' },
 * });
 */
export const rules = { 'declared-properties': declaredProperties } as const;

/** The whole plugin, as a default: oxlint loads nothing else. */
const plugin = { meta, rules };
export { plugin as default };
