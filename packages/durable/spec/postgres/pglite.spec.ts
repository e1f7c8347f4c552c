import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

jest.setTimeout(120_000);
const root = resolve(__dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-pglite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a process of its own, since PGlite imports its parts while it runs. */
const program = `
import { PostgresRuns } from '${join(root, 'packages/durable/src/postgres/index.ts')}';
import { runStoreContract } from '${join(root, 'packages/contracts/src/runStoreContract.ts')}';
const { PGlite } = await import(process.argv[2]);
const database = await PGlite.create();
const results = [];
for (const { name, run } of runStoreContract({ open: () => new PostgresRuns(database), keepsRuns: true }))
  results.push({ name, problem: await run().then(() => null, String) });
await database.close();
process.stdout.write(JSON.stringify(results));
`;

test('PostgresRuns over PGlite keeps the contract of stores', () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'main.ts'), program);
  const node = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    return stdout;
  };
  node([join(root, 'spec/support/bundleSources.mjs'), join(folder, 'main.ts'), folder, join(root, 'dist')]);
  const pglite = pathToFileURL(join(root, 'node_modules/@electric-sql/pglite/dist/index.js')).href;
  const results = JSON.parse(node(['main.mjs', pglite])) as {
    readonly name: string;
    readonly problem: string | null;
  }[];
  expect(results.filter(({ problem }) => problem !== null)).toEqual([]);
  expect(results.length).toBeGreaterThan(25);
});
