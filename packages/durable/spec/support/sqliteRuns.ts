import { SqliteRuns, type SqliteRunsOptions } from '@toolwright/durable/sqlite';

const open: SqliteRuns[] = [];
afterAll(async () => {
  await Promise.all(open.splice(0).map((store) => store.close()));
});

/** Opens a store, as another process would have it each time, and closes it after the tests of the file. */
export function sqliteRuns(path: string, options?: SqliteRunsOptions): SqliteRuns {
  const store = new SqliteRuns(path, options);
  open.push(store);
  return store;
}
