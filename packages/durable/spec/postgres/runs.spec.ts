import { basename } from 'node:path';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { runsBehaviour } from '../runs/runsBehaviour';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';

describeOnPostgres('runs over PostgreSQL', (postgres) => {
  runsBehaviour((folder) => {
    const schema = basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '_');
    return new PostgresRuns(postgres.pool, { schema });
  });
});
