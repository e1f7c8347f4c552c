// A plugin for ESLint: `import * as toolwright from 'toolwright/eslint'`. Named exports alone, so that it is the same object for
// ES modules and CommonJS.
import { declaredProperties } from './declaredProperties.js';

/** The plugin's name, for ESLint's messages and caches. */
export const meta = { name: 'toolwright' } as const;

/**
 * The plugin's rules, with what only the sources show (docs/contract.md, 2.13). They need a parser of TypeScript, such as that of
 * typescript-eslint.
 *
 * @example
 * import * as toolwright from 'toolwright/eslint';
 * import { defineConfig } from 'eslint/config';
 * import tseslint from 'typescript-eslint';
 * export default defineConfig(tseslint.configs.base, {
 *   plugins: { toolwright },
 *   rules: { 'toolwright/declared-properties': 'error' },
 * });
 */
export const rules = { 'declared-properties': declaredProperties } as const;
