/** The interface for repositories and tools: the database itself, or the transaction of a call. */
export abstract class Sql {
  abstract query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}
