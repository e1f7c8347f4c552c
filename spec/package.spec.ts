import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { globSync } from 'tinyglobby';
import packages from '../scripts/packages.cjs';

const root = resolve(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The fields of package.json that users and registries read. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly repository?: { readonly url: string };
  readonly engines: { readonly node: string };
  readonly files: readonly string[];
  readonly sideEffects: unknown;
  readonly publishConfig: unknown;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly typesVersions?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const readManifest = (folder: string): Manifest => JSON.parse(read(join(folder, 'package.json'))) as Manifest;

const core = readManifest('.');
const names = packages.map(({ manifest }) => manifest.name);
const nameOf = (subPath: string): string => (subPath === '.' ? 'index' : subPath.slice(2));

describe.each(packages.map(({ folder, entries }) => ({ folder, entries, manifest: readManifest(folder) })))(
  '$manifest.name',
  ({ folder, entries, manifest }) => {
    test('the manifest exports every entry in both formats, types first, and its package.json', () => {
      const expected = Object.keys(entries).map((subPath) => [
        subPath,
        {
          import: { types: `./dist/${nameOf(subPath)}.d.mts`, default: `./dist/${nameOf(subPath)}.mjs` },
          require: { types: `./dist/${nameOf(subPath)}.d.cts`, default: `./dist/${nameOf(subPath)}.cjs` },
        },
      ]);
      // Order counts for resolvers, so the texts are compared.
      expect(JSON.stringify(manifest.exports)).toBe(
        JSON.stringify({ ...Object.fromEntries(expected), './package.json': './package.json' }),
      );
    });

    test('the manifest has typesVersions for its sub-paths, which TypeScript reads where it ignores exports', () => {
      // TypeScript looks up `main` and package.json in it, too.
      const all = { 'package.json': ['./package.json'], 'dist/*': ['./dist/*'], '*': ['./dist/*.d.cts'] };
      const hasSubPaths = Object.keys(entries).some((subPath) => subPath !== '.');
      expect(manifest.typesVersions).toEqual(hasSubPaths ? { '*': all } : undefined);
    });

    test('the manifest is described for the registry', () => {
      expect(manifest.description).toMatch(/^[A-Z].+\.$/);
      expect(manifest.keywords.length).toBeGreaterThan(2);
      expect(manifest.keywords).toEqual([...manifest.keywords].sort());
      expect(manifest).toMatchObject({
        license: core.license,
        engines: core.engines,
        publishConfig: { access: 'public' },
      });
    });

    test('the manifest leaves its repository to the root, which scripts/release.mjs publishes with it', () => {
      if (folder !== '.') expect(manifest).not.toHaveProperty('repository');
    });

    test('the manifest publishes dist, and excludes nothing from it', () => {
      expect(manifest.files).toContain('dist');
      const cwd = join(root, folder);
      const empty = manifest.files.filter((file) => file.startsWith('!') || globSync([file], { cwd }).length === 0);
      expect(empty).toEqual([]);
    });

    test('the manifest says which of its files run for their effect', () => {
      expect(manifest.sideEffects).toEqual(folder === '.' ? ['./dist/reflect.cjs', './dist/reflect.mjs'] : false);
    });

    test('the manifest has the version of the core, and pins other packages of this repository to it', () => {
      const own = Object.entries(manifest.peerDependencies).filter(([name]) => names.includes(name));
      expect([manifest.version, ...own.map(([, range]) => range)]).toEqual(
        Array.from({ length: own.length + 1 }, () => core.version),
      );
      expect(own.some(([name]) => name === 'toolwright')).toBe(folder !== '.');
    });

    test('the manifest pins its dependencies', () => {
      const { toolwright: _link, ...developed } = manifest.devDependencies ?? {};
      const versions = Object.values({ ...manifest.dependencies, ...developed });
      expect(versions.filter((version) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    });

    test('a package is developed with a version of each peer', () => {
      const developed = [...names, ...Object.keys(core.devDependencies ?? {})];
      expect(Object.keys(manifest.peerDependencies).filter((name) => !developed.includes(name))).toEqual([]);
    });
  },
);

test('the core keeps the file that runs for its effect', () => {
  expect(read('src/common/reflect.ts')).toMatch(/^import 'reflect-metadata';$/m);
});

describe('package-lock.json', () => {
  const { packages: locked } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<
      Record<string, Partial<Manifest> & { readonly resolved?: string; readonly optionalDependencies?: object }>
    >;
  };

  test('package-lock.json names no registry', () => {
    const resolved = Object.values(locked).flatMap((each) => each.resolved ?? []);
    // The packages of this repository are links; that of the core is empty.
    expect(resolved.sort()).toEqual(packages.map(({ folder }) => (folder === '.' ? '' : folder)).sort());
  });

  test.each(packages)('package-lock.json has the version and the peers of $manifest.name', ({ folder, manifest }) => {
    const { version, peerDependencies } = manifest;
    expect(locked[folder === '.' ? '' : folder]).toMatchObject({ version, peerDependencies });
  });

  test('package-lock.json lists the packages of every platform: npm 11 refuses one without them', () => {
    const isLocked = (place: string, name: string): boolean =>
      `${place}/node_modules/${name}` in locked || `node_modules/${name}` in locked;
    const optional = Object.entries(locked).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ place, name })),
    );
    expect(optional.length).toBeGreaterThan(100);
    expect(optional.filter(({ place, name }) => !isLocked(place, name))).toEqual([]);
  });
});

describe('dist', () => {
  const built = packages.flatMap(({ folder }) => {
    const dist = join(folder, 'dist');
    return readdirSync(join(root, dist), { recursive: true, encoding: 'utf8' }).map((name) => join(dist, name));
  });
  const code = built.filter((name) => /\.[cm]js$/.test(name));

  // A class whose name another has in the same file is renamed, and users read the name of a class: errors print it.
  test.each(code)('%s gives no class another name', (name) => {
    expect(read(name)).not.toMatch(/\b\w+\$\d+\s*=\s*class\b|\bclass \w+\$\d+/);
  });

  test.each(built.filter((name) => /\.[cm]js\.map$/.test(name)))('%s names sources that exist', (name) => {
    const { sources } = JSON.parse(read(name)) as { readonly sources: readonly string[] };
    expect(sources.filter((source) => !existsSync(resolve(root, name, '..', source)))).toEqual([]);
  });

  // A copy of a class is another class, and a copy of an optional peer is loaded without being asked for.
  test.each(built.filter((name) => /\.[cm]js\.map$/.test(name)))('%s has no code of another package', (name) => {
    const { sources } = JSON.parse(read(name)) as { readonly sources: readonly string[] };
    const own = join(root, /^(.*)dist\b/.exec(name)?.[1] ?? '', 'src', sep);
    const others = sources.map((source) => resolve(root, name, '..', source)).filter((file) => !file.startsWith(own));
    expect(others.filter((file) => !file.endsWith(join('node_modules', 'tsdown', 'esm-shims.js')))).toEqual([]);
  });
});
