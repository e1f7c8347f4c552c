/** Describes an error code. Its remedy is in a table of its own. */
export interface CodeText {
  /** Names the fault; the heading in docs/errors.md. */
  readonly title: string;
  /** Explains in a sentence or two why the error is thrown. */
  readonly meaning: string;
}

/** Checks the codes of a table while the declaration files stay free of its texts. */
export function createCodeTable<C extends string>(remedies: Readonly<Record<C, string>>): Readonly<Record<C, string>> {
  return remedies;
}
