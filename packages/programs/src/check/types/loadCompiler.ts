import type ts from 'typescript';

/** The package with the API of TypeScript 6, for projects that compile with TypeScript 7. */
const API_PACKAGE = '@typescript/typescript6';

/**
 * Loads the compiler's API from `typescript`, or from `@typescript/typescript6` if the installed `typescript` has none, like
 * version 7.
 *
 * @param require resolves packages as the built package does
 * @returns the compiler; or the missing package and how to install it, as the end of a sentence that begins with "needs"
 */
export function loadCompiler(require: NodeJS.Require): Compiler | string {
  const typescript = requireIfInstalled(require, 'typescript');
  if (hasApi(typescript)) return typescript;
  const api = requireIfInstalled(require, API_PACKAGE);
  if (hasApi(api)) return api;
  return typescript === undefined
    ? `the package typescript, which is not installed: npm install ${API_PACKAGE}`
    : `the compiler's API, which typescript ${typescript.version} does not have: npm install ${API_PACKAGE}`;
}

/** The exports that all versions of the package have. */
interface Exported {
  readonly version: string;
}

/** Requires a package. `import` would also scan the nine megabytes of the compiler for the names of its exports. */
function requireIfInstalled(require: NodeJS.Require, name: string): Exported | undefined {
  try {
    return require(name) as Exported;
  } catch {
    return undefined;
  }
}

function hasApi(exported: Exported | undefined): exported is Compiler {
  return exported !== undefined && 'createLanguageService' in exported;
}

/** The compiler, as its package exports it. */
export type Compiler = typeof ts;
