export { PostgresRuns, type PostgresRunsOptions } from './PostgresRuns.js';
export { PostgresTransactions, type PostgresTransactionsOptions } from './PostgresTransactions.js';
export { Sql } from './Sql.js';
export type { PreparedStatement, SqlClient, SqlConnection, SqlPool } from './SqlClient.js';
