import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Aliases } from '../src/load/aliases';
import { Project } from '../src/load/Project';
import { CliProject, shop } from './support/CliProject';

const root = resolve(__dirname, '../../..');

/** The shop, whose modules import each other by every kind of alias that tsconfig.json has. */
function aliased(settings: object): Readonly<Record<string, string>> {
  const options = (JSON.parse(shop['tsconfig.json'] ?? '') as { readonly compilerOptions: object }).compilerOptions;
  const base = { compilerOptions: { ...options, module: 'esnext', moduleResolution: 'bundler', ...settings } };
  return {
    ...shop,
    // Comments and a comma at the end are what tsconfig.json may have.
    'tsconfig.json': '{ /* of the team */ "extends": "./config/base.json", }',
    'config/base.json': JSON.stringify(base),
    'toolwright.config.ts': (shop['toolwright.config.ts'] ?? '').replace('./src/desk.js', '@shop/desk'),
    'src/desk.ts': (shop['src/desk.ts'] ?? '')
      .replace("'./person.js'", "'people/person'")
      .replace(/^/, "import { silver } from '~tier';\nimport { off } from '@shop/off.js';\n")
      .replace("= 'silver'", '= silver')
      .replace('discount = 0', 'discount = off'),
    'src/tier/index.ts': "export const silver = 'silver';\n",
    'generated/off.d.ts': 'export declare const off: number;\n',
    'generated/off.js': 'export const off = 3;\n',
    'people/person.ts': 'export interface Person { readonly name: string }\nexport const isPerson = true;\n',
    'people/check.ts': "import { isPerson } from 'people/person';\nexport const checked = isPerson;\n",
  };
}

const paths = {
  // The first target that has a file counts.
  '@shop/*': ['../src/*', '../generated/*'],
  '~tier': ['../src/tier'],
  'people/*': ['../people/*'],
};

describe('aliases of tsconfig.json', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  }, 600_000);

  test.each([
    ['ES modules', { 'package.json': '{ "type": "module" }' }],
    ['CommonJS', { 'package.json': '{ "private": true }', 'generated/off.js': 'exports.off = 3;\n' }],
  ])(
    'aliases are followed in a project of %s: a wildcard, a name, several targets, an extended file',
    async (_name, files) => {
      const project = new CliProject({ ...aliased({ paths }), ...files });
      try {
        const { code, out, err } = await project.run(['render']);
        expect([code, out, err]).toEqual([
          0,
          expect.stringContaining('For silver customers: 3 % off.'),
          expect.any(String),
        ]);
        // An alias that leads nowhere, from a module below the one that was named.
        project.write('src/tier/index.ts', "export { gold as silver } from '@shop/gold';\n");
        const none = await project.run(['render']);
        expect([none.code, none.out]).toEqual([2, '']);
        expect(none.err).toMatch(
          /^E963 toolwright\.config\.ts: .*'@shop\/gold' imported from .*src\/tier\/index\.ts: the alias @shop\/\* of tsconfig\.json leads to no file \(\.\.\/src\/\*, \.\.\/generated\/\*\)/m,
        );
        expect(none.err).toMatch(/fix: Correct the import, or paths\["@shop\/\*"\]\./);
      } finally {
        project.close();
      }
    },
    120_000,
  );

  test('baseUrl is a place to look from, and packages are still found', async () => {
    const given = { baseUrl: '..', ignoreDeprecations: '6.0', paths: { '@shop/*': ['src/*'], '~tier': ['src/tier'] } };
    const project = new CliProject({
      ...aliased(given),
      'src/off.ts': "import { checked } from 'people/check';\nexport const off = checked ? 3 : 0;\n",
    });
    try {
      const { code, out, err } = await project.run(['render']);
      expect([code, out, err]).toEqual([
        0,
        expect.stringContaining('For silver customers: 3 % off.'),
        expect.any(String),
      ]);
    } finally {
      project.close();
    }
  }, 120_000);
});

describe('the file of an alias', () => {
  const files = {
    'src/a.service.ts': '',
    'src/data.json': '{}',
    'lib/package.json': '{ "main": "built/lib.js" }',
    'lib/built/lib.js': '',
    'types/typed.d.ts': '',
    'types/typed.js': '',
    'types/alone.d.ts': '',
    'node_modules/other/index.js': '',
    'empty/readme.md': '',
  };
  const paths = {
    '@src/*': ['./src/*'],
    '@typed': ['./types/typed.d.ts'],
    '@alone': ['./types/alone.d.ts'],
    '@lib': ['./lib'],
    '@empty': ['./empty'],
    '@other': ['./node_modules/other'],
  };
  const targets: Readonly<Record<string, string | undefined>> = {
    '@src/a.service': 'src/a.service.ts',
    '@src/data.json': 'src/data.json',
    '@typed': 'types/typed.js',
    '@lib': 'lib/built/lib.js',
    '@alone': undefined,
    '@empty': undefined,
    // Node looks for packages itself.
    '@other': undefined,
    '@src/none': undefined,
    './a.service': undefined,
    'node:fs': undefined,
  };
  test.each(Object.entries(targets))('the alias %s leads to %s', (name, path) => {
    const { folder, close } = projectOf({ compilerOptions: { paths } });
    try {
      const found = new Aliases(folder).resolve(name, join(folder, 'src/main.ts'));
      expect(found).toBe(path === undefined ? undefined : join(folder, path));
    } finally {
      close();
    }
  });

  test('no compiler is needed, and a package has no aliases', () => {
    const { folder, close } = projectOf({ compilerOptions: { paths } }, []);
    try {
      const aliases = new Aliases(folder);
      expect(aliases.resolve('@lib', join(folder, 'src/main.ts'))).toBe(join(folder, 'lib/built/lib.js'));
      expect(aliases.resolve('@lib', join(folder, 'node_modules/other/index.js'))).toBeUndefined();
    } finally {
      close();
    }
  });

  test.each([
    ['{ "extends": "./gone" }', undefined],
    ['{\n  "compilerOptions": { "strict": }\n}', /^Expression expected/],
  ])('a tsconfig.json that the library cannot read has no aliases, and its compiler decides: %j', (text, problem) => {
    const { folder, close } = projectOf(text);
    try {
      expect(new Aliases(folder).resolve('@lib', join(folder, 'src/main.ts'))).toBeUndefined();
      const compile = (): string => new Project(folder).compile(join(folder, 'src/a.service.ts'), 'module');
      if (problem === undefined) expect(compile()).toContain('sourceMappingURL');
      else
        expect(compile).toThrow(
          expect.objectContaining({
            code: 'E964',
            place: expect.stringMatching(/tsconfig\.json:2:34$/) as string,
            problem: expect.stringMatching(problem) as string,
          }) as Error,
        );
    } finally {
      close();
    }
  });

  function projectOf(config: object | string, packages = ['typescript']) {
    const text = typeof config === 'string' ? config : JSON.stringify(config);
    const project = new CliProject({ ...files, 'tsconfig.json': text }, packages);
    return { folder: project.folder, close: () => project.close() };
  }
});
