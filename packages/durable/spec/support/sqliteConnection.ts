import { createRequire } from 'node:module';

/** A connection of another program to a file, such as that of a shell. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): { all(...values: readonly unknown[]): Record<string, unknown>[] };
  close(): void;
}

type Database = new (path: string) => SqliteConnection;

const builtin = process.getBuiltinModule('node:sqlite') as { readonly DatabaseSync: Database } | undefined;

/** The drivers that this Node can load. */
export const drivers = builtin === undefined ? (['libsql'] as const) : (['node:sqlite', 'libsql'] as const);

/** Opens a file as another program would, with the driver that `SqliteRuns` takes by itself: two in one process would share locks. */
export function sqliteConnection(path: string): SqliteConnection {
  const Driver = builtin?.DatabaseSync ?? (createRequire(__filename)('libsql') as Database);
  const connection = new Driver(path);
  // A store that has just ended may hold its lock for a moment.
  connection.exec('PRAGMA busy_timeout = 5000');
  return connection;
}
