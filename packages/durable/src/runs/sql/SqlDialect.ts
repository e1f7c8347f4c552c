/** The differences between databases that otherwise run the same statements. */
export interface SqlDialect {
  /** The prefix of every table: a schema and a dot, or an empty text. */
  readonly prefix: string;
  /** The declaration of the columns `id` and `place` of the table `runs`. */
  readonly runKeys: string;
  /** The same declaration for tables before version 3, in which ids are unique. */
  readonly runKeysBefore3: string;
  /** The clause after a foreign key between rows of the same table that are deleted together. */
  readonly onDeleteOfChain: string;
  /** The clause of a table that stores its rows in the order of their keys, without a separate index. */
  readonly inKeyOrder: string;
  /** The clause of an insert that sets `place` itself. */
  readonly keepIdentity: string;
  /** The SQL that lets `place` continue after the greatest inserted value. */
  readonly restoreIdentity: string;
  /** The type of a column for times that the database itself writes. */
  readonly timeType: string;
  /** The current time, as such a column stores it. */
  readonly now: string;
  /** Writes a condition that a column has one of the values of a list. @param parameter such as `$2` */
  readonly isAmong: (column: string, parameter: string) => string;
}
