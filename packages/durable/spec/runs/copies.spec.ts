import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEntry } from 'toolwright/conversations';
import type { DurableStore, RunRecord } from '@toolwright/durable';
import { copyConversation } from '../../src/runs/copyConversation';
import { sqliteScripts, sqliteTableSteps } from '../../src/sqlite/sqliteScripts';
import { changed } from '../../../../spec/support/changed';
import { sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-copies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A log of so many runs, each with a note. */
function logOf(runs: number): readonly RunEntry[] {
  return Array.from({ length: runs }, (_none, index): readonly RunEntry[] => {
    const run = `r-${String(index)}`;
    const message = { role: 'user', content: 'x'.repeat(100) } as const;
    return [
      { kind: 'run', run, messages: [] },
      { kind: 'note', turn: 1, about: 'limits', message },
      { kind: 'end', run, how: 'answered', messages: [] },
    ];
  }).flat();
}

test('a copy reads and writes each entry once, whatever the length of the conversation is', async () => {
  const store = sqliteRuns(join(folder, 'runs.db'));
  const work = async (runs: number): Promise<number> => {
    const conversation = `c-${String(runs)}`;
    const { epoch } = await store.open(conversation);
    const entries = logOf(runs);
    await store.append({ conversation, epoch, after: 0 }, entries);
    let count = 0;
    const counting: DurableStore = changed(store, {
      entries: async (...args: Parameters<DurableStore['entries']>) => {
        const read = await store.entries(...args);
        count += read.length;
        return read;
      },
      append: (...args: Parameters<DurableStore['append']>) => {
        count += args[1].length;
        return store.append(...args);
      },
    });
    const from = { id: 'none', conversation } as RunRecord;
    const to = { id: 'none', conversation: `${conversation} copy` };
    await copyConversation(counting, { from, to, last: undefined, repeats: false });
    expect(await store.entries(to.conversation)).toEqual(entries);
    return count / entries.length;
  };
  expect([await work(50), await work(700)]).toEqual([2, 2]);
});

test('no statement reads a list again for each item of another one', () => {
  const connection = sqliteConnection(join(folder, 'plans.db'));
  for (const step of sqliteTableSteps) connection.exec(step);
  const nested: string[] = [];
  for (const [name, { steps }] of Object.entries(sqliteScripts))
    for (const { sql } of steps) {
      const lists = connection
        .prepare(`EXPLAIN QUERY PLAN ${sql.replace(/\?\d+/g, 'NULL')}`)
        .all()
        .filter(({ detail }) => String(detail).includes('VIRTUAL TABLE'));
      const loops = new Set(lists.map(({ parent }) => parent));
      if (loops.size < lists.length) nested.push(name);
    }
  connection.close();
  expect(nested).toEqual([]);
});
