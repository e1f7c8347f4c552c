import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import manifest from '../package.json';
import entries from '../scripts/entries.json';

const root = resolve(__dirname, '..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');
const exportsField: Readonly<Record<string, unknown>> = manifest.exports;

describe('package.json', () => {
  test('exports every entry in both formats, types first, and itself', () => {
    const expected = Object.entries(entries).map(([subPath, source]) => [
      subPath,
      {
        import: { types: `./dist/esm/${source}.d.ts`, default: `./dist/esm/${source}.js` },
        require: { types: `./dist/cjs/${source}.d.ts`, default: `./dist/cjs/${source}.js` },
      },
    ]);
    // Order counts for resolvers, so the texts are compared.
    expect(JSON.stringify(exportsField)).toBe(
      JSON.stringify({ ...Object.fromEntries(expected), './package.json': './package.json' }),
    );
  });

  test('names the types of every sub-path for resolvers that know no exports', () => {
    const rows = Object.entries(entries).filter(([subPath]) => subPath !== '.');
    const expected = rows.map(([subPath, source]) => [subPath.slice(2), [`./dist/cjs/${source}.d.ts`]]);
    expect(manifest.typesVersions['*']).toEqual(Object.fromEntries(expected));
  });

  test.each(Object.entries(entries))('%s has a source file', (_subPath, source) => {
    expect(existsSync(resolve(root, `src/${source}.ts`))).toBe(true);
  });

  test('keeps the files that run for their effect', () => {
    expect(manifest.sideEffects).toEqual(['./dist/cjs/common/reflect.js', './dist/esm/common/reflect.js']);
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
