/** What handlers ask for: SQL in the transaction of their call. Bind it to `new PostgresTransactions(pool)`. */
export abstract class Sql {
  /**
   * Runs one statement; its parameters are `$1`, `$2` and so on.
   *
   * @throws what the database says
   */
  abstract query<Row>(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}
