// A plugin for ESLint and oxlint. CommonJS gets the same object from `require('toolwright/eslint')`.
import { declaredProperties } from './declaredProperties.js';

/** Name of the plugin, for messages and caches of ESLint. */
export const meta = { name: 'toolwright' } as const;

/**
 * The rules of the plugin. They find faults that only the sources show (docs/contract.md, 2.13). ESLint needs a
 * TypeScript parser for them, such as typescript-eslint; oxlint has its own.
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

/** The whole plugin as a default export: oxlint loads nothing else. */
const plugin = { meta, rules };
export { plugin as default };
