import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { CliProject, shop } from '../support/cli/CliProject';

const root = resolve(__dirname, '../..');

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
    'are followed in a project of %s: a wildcard, a name, several targets, an extended file',
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
