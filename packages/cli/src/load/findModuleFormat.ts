import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

export type ModuleFormat = 'module' | 'commonjs';

/** Finds the format of a JavaScript or TypeScript file by its extension, or by the nearest package.json. */
export function findModuleFormat(file: string): ModuleFormat {
  const extension = extname(file);
  if (extension === '.mts' || extension === '.mjs') return 'module';
  if (extension === '.cts' || extension === '.cjs') return 'commonjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return readPackageType(manifest);
    if (folder === dirname(folder)) return 'commonjs';
  }
}

function readPackageType(manifest: string): ModuleFormat {
  try {
    const { type } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly type?: unknown };
    return type === 'module' ? 'module' : 'commonjs';
  } catch {
    return 'commonjs';
  }
}

/** Checks for a TypeScript file of the project, which has to be compiled. */
export function isSource(file: string): boolean {
  return /\.[cm]?ts$/.test(file) && !/\.d\.[cm]?ts$/.test(file) && !/[\\/]node_modules[\\/]/.test(file);
}

/** Lists the TypeScript files that an import of a missing file may mean: `./a.js` stands for `./a.ts`. */
export function listSources(path: string): readonly string[] {
  const [, stem = path, kind = ''] = /^(.*)\.([cm]?)js$/.exec(path) ?? [];
  return stem === path ? [`${path}.ts`, join(path, 'index.ts')] : [`${stem}.${kind}ts`];
}
