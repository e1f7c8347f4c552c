import { test } from 'node:test';
import { runStoreContract } from '@toolwright/contracts';
import { SqliteRuns } from '@toolwright/durable/sqlite';

// Put your own store in the place of this one.
const open = () => new SqliteRuns('./runs.db');

for (const { name, run } of runStoreContract({ open })) test(name, run);
