export { PostgresRuns, type PostgresRunsOptions } from './PostgresRuns.js';
