import { test } from 'node:test';
import { runStoreContract } from '@toolwright/contracts';
import { SqliteRuns } from '@toolwright/durable/sqlite';

// Replace this store with your own.
const open = () => new SqliteRuns('./runs.db');

for (const { name, run } of runStoreContract({ open })) test(name, run);
