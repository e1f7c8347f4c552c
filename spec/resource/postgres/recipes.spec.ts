import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../packages/durable/spec/runs/processes';
import { newNode } from '../../support/newNode';
import { describeOnPostgres } from '../../support/postgresServer';

// Compiles the recipes of docs/database.md and runs each of them in a Nest application on PostgreSQL; recipes/contract.ts has the
// calls, and what another connection must see after each. Needs dist/, as `npm test` builds it.

jest.setTimeout(180_000);
const run = promisify(execFile);
const recipes = join(root, 'recipes');
const folder = join(root, 'build/recipes');
const sources = readdirSync(recipes).filter((name) => name.endsWith('.ts'));
const names = sources.map((name) => name.slice(0, -3)).filter((name) => name !== 'contract');
/** What the recipes print that are not about transactions, and bring their databases. */
const ALONE: Readonly<Record<string, string>> = {
  nearestFacts: 'The nearest facts were found, and forgotten.',
  approveOverHttp: 'The question was answered once, from another process.',
};
const node = existsSync(join(folder, 'node_modules/toolwright')) ? newNode() : undefined;

test('a recipe has at most 40 lines, without the entity and the service that it is for', () => {
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const [recipe = ''] = readFileSync(join(recipes, `${name}.ts`), 'utf8').split('\n// ---\n');
    expect(recipe.split('\n').length).toBeLessThanOrEqual(40);
  }
});

if (node === undefined)
  test('absent: recipes for database libraries (`npm test -- --node24` installs them, with Node 24)', () => {
    expect(node).toBeUndefined();
  });
else
  describeOnPostgres('recipes', (postgres) => {
    beforeAll(async () => {
      for (const name of [...sources, 'tsconfig.json']) copyFileSync(join(recipes, name), join(folder, name));
      await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    });

    test.each(Object.entries(ALONE))('the recipe %s says: %s', async (name, said) => {
      const { NODE_OPTIONS: _options, ...env } = process.env;
      const { stdout } = await run(node, [join(folder, 'out', `${name}.js`)], { cwd: folder, env, timeout: 90_000 });
      expect(stdout).toContain(said);
    });

    test.each(names.filter((name) => !(name in ALONE)))(
      '%s: calls are committed or rolled back as a whole',
      async (name) => {
        const { NODE_OPTIONS: _options, ...env } = process.env;
        const args = [join(folder, 'out', `${name}.js`), JSON.stringify(postgres.server.connection)];
        const { stdout } = await run(node, args, { cwd: folder, env, timeout: 90_000 });
        expect(stdout).toContain('kept');
      },
    );
  });
