import type { PgBoss } from 'pg-boss';
import type { PgBossClient } from '@toolwright/durable/pg-boss';

/** Compiles only as long as the engine takes a `PgBoss`. */
export const clientOf = (boss: PgBoss): PgBossClient => boss;
