import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { transformSync } from '@swc/core';

type Loader = (id: string) => unknown;
type ModuleBody = (exports: object, require: Loader, module: { readonly exports: object }) => void;

/**
 * Loads a package that is there as ES modules only. Jest's runtime takes CommonJS alone, so each of its files is rewritten
 * as that while it is loaded; the package then lives in the test's own realm, as it would live in its user's.
 */
export function esmPackage(name: string): unknown {
  const loaded = new Map<string, object>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known !== undefined) return known;
    const exports = {};
    loaded.set(file, exports);
    const { code } = transformSync(readFileSync(file, 'utf8'), {
      jsc: { target: 'es2022' },
      module: { type: 'commonjs' },
    });
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text of a module is what it is
    const body = new Function('exports', 'require', 'module', code) as ModuleBody;
    body(exports, (id) => load(id.startsWith('.') ? resolve(file, '..', id) : resolvePackage(id, file)), { exports });
    return exports;
  };
  return load(require.resolve(name));
}

function resolvePackage(id: string, importer: string): string {
  return require.resolve(id, { paths: [dirname(importer)] });
}
