import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import manifest from '../package.json';
import entries from '../scripts/entries.cjs';

const root = resolve(__dirname, '..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');
const exportsField: Readonly<Record<string, unknown>> = manifest.exports;
const nameOf = (subPath: string): string => (subPath === '.' ? 'index' : subPath.slice(2));

describe('package.json', () => {
  test('exports every entry in both formats, types first, and itself', () => {
    const expected = Object.keys(entries).map((subPath) => [
      subPath,
      {
        import: { types: `./dist/${nameOf(subPath)}.d.mts`, default: `./dist/${nameOf(subPath)}.mjs` },
        require: { types: `./dist/${nameOf(subPath)}.d.cts`, default: `./dist/${nameOf(subPath)}.cjs` },
      },
    ]);
    // Order counts for resolvers, so the texts are compared.
    expect(JSON.stringify(exportsField)).toBe(
      JSON.stringify({ ...Object.fromEntries(expected), './package.json': './package.json' }),
    );
  });

  test('names the types of every sub-path for resolvers that know no exports', () => {
    // They look `main` and package.json up in it, too.
    expect(manifest.typesVersions['*']).toEqual({
      'package.json': ['./package.json'],
      'dist/*': ['./dist/*'],
      '*': ['./dist/*.d.cts'],
    });
  });

  test.each(Object.entries(entries))('%s has a source file', (_subPath, source) => {
    expect(existsSync(resolve(root, `src/${source}.ts`))).toBe(true);
  });

  test('keeps the files that run for their effect', () => {
    expect(manifest.sideEffects).toEqual(['./dist/reflect.cjs', './dist/reflect.mjs']);
    expect(read('src/common/reflect.ts')).toMatch(/^import 'reflect-metadata';$/m);
  });

  test('pins what it is developed with', () => {
    const versions = [...Object.values(manifest.dependencies), ...Object.values(manifest.devDependencies)];
    expect(versions.filter((version) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  test('package.json lists a development version of each peer', () => {
    const developed = Object.keys(manifest.devDependencies);
    expect(Object.keys(manifest.peerDependencies).filter((name) => !developed.includes(name))).toEqual([]);
  });

  test('package-lock.json names no registry', () => {
    const resolved = [...read('package-lock.json').matchAll(/"resolved": "([^"]*)"/g)].map(([, place]) => place);
    // The packages of the workspace are links.
    expect(resolved).toEqual(['packages/inspector']);
  });

  test('package-lock.json lists the packages of every platform: npm 11 refuses one without them', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly optionalDependencies?: object }>>;
    };
    const isLocked = (place: string, name: string): boolean =>
      `${place}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
    const optional = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ place, name })),
    );
    expect(optional.length).toBeGreaterThan(100);
    expect(optional.filter(({ place, name }) => !isLocked(place, name))).toEqual([]);
  });
});

describe('dist', () => {
  const built = readdirSync(resolve(root, 'dist'));

  // A class whose name another has in the same file is renamed, and users read the name of a class: errors print it.
  test.each(built.filter((name) => /\.[cm]js$/.test(name)))('%s gives no class another name', (name) => {
    expect(read(`dist/${name}`)).not.toMatch(/\b\w+\$\d+\s*=\s*class\b|\bclass \w+\$\d+/);
  });

  test.each(built.filter((name) => name.endsWith('.map')))('%s names sources that exist', (name) => {
    const { sources } = JSON.parse(read(`dist/${name}`)) as { readonly sources: readonly string[] };
    expect(sources.filter((source) => !existsSync(resolve(root, 'dist', source)))).toEqual([]);
  });
});
