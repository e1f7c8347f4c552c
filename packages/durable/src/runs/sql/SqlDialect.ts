/** What differs between databases that otherwise run the same statements. */
export interface SqlDialect {
  /** Stands before the name of every table: a schema and a dot, or nothing. */
  readonly prefix: string;
  /** Declares the columns `id` and `place` of the table `runs`. */
  readonly runKeys: string;
  /** The same for tables before version 3, in which ids are unique. */
  readonly runKeysBefore3: string;
  /** What follows a foreign key from one row to another of the same table, whose rows are deleted together. */
  readonly onDeleteOfChain: string;
  /** The clause of an insert that sets `place` itself. */
  readonly keepIdentity: string;
  /** Lets `place` go on after the greatest value that was inserted. */
  readonly restoreIdentity: string;
  /** The type of a column whose time the database itself writes. */
  readonly timeType: string;
  /** The current time, as such a column stores it. */
  readonly now: string;
  /** Returns a condition that holds when a column has one of the values of a list. @param parameter such as `$2` */
  readonly isAmong: (column: string, parameter: string) => string;
}
