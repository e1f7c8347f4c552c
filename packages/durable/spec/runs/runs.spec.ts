import { join } from 'node:path';
import { sqliteRuns } from '../support/sqliteRuns';
import { runsBehaviour } from './runsBehaviour';

runsBehaviour((folder) => sqliteRuns(join(folder, 'runs.db')));
