import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';
import { bundledProject } from '../../../../spec/toolchain/support/bundledProject';
import { Workspace } from '../../../../spec/toolchain/support/Workspace';
import { TABLE } from './ledger';
import type { LedgerConfig } from './ledgerWorker';

jest.setTimeout(180_000);

describeOnPostgres('a process that is killed in a call whose resource joins its record', (postgres) => {
  const workspace = new Workspace();
  let project: string;
  beforeAll(async () => {
    const main = readFileSync(join(__dirname, 'ledgerWorker.ts'), 'utf8');
    project = await bundledProject(workspace, join(__dirname, 'ledger.ts'), main);
    await postgres.pool.query(TABLE);
  });
  afterAll(() => workspace.close());

  /** Runs a worker to its end; returns the signal that ended it, or its exit code. */
  async function worker(config: Omit<LedgerConfig, 'connection' | 'pg'>): Promise<unknown> {
    const pg = pathToFileURL(resolve(__dirname, '../../../../node_modules/pg/lib/index.js')).href;
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const given = JSON.stringify({ ...config, connection: postgres.server.connection, pg });
    const child = spawn(process.execPath, ['bundled/main.js', given], { cwd: project, env, stdio: 'inherit' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return signal ?? code;
  }

  test.each([
    ['before its append', 'WITH log', 1, 'before', 0],
    ['before its COMMIT', 'COMMIT', 1, 'before', 0],
    ['after its COMMIT', 'COMMIT', 1, 'after', 1],
    ['before the COMMIT of the second call of the turn', 'COMMIT', 2, 'before', 1],
    ['after the COMMIT of the last one', 'COMMIT', 3, 'after', 3],
  ] as const)(
    'after a process is killed %s, every effect is there exactly once',
    async (_where, statement, nth, when, left) => {
      const start = `${statement.toLowerCase()} ${String(nth)} ${when}`;
      const effects = async (): Promise<readonly string[]> => {
        const { rows } = await postgres.pool.query<{ item: string }>('SELECT item FROM effects ORDER BY id');
        return rows.map(({ item }) => item);
      };
      await postgres.pool.query('TRUNCATE effects');
      expect(await worker({ start, kill: [statement, nth, when] })).toBe('SIGKILL');
      const all = ['book 0.0', 'book 0.1', 'book 1.0'];
      expect(await effects()).toEqual(all.slice(0, left));
      expect(await worker({})).toBe(0);
      expect(await effects()).toEqual(all);
      const entries = await new PostgresRuns(postgres.pool).entries(start);
      expect(entries.flatMap((entry) => (entry.kind === 'outcome' ? [entry.call] : []))).toEqual(['1.0', '1.1', '2.0']);
      expect(entries.at(-1)).toMatchObject({ kind: 'end', how: 'answered' });
    },
  );
});
