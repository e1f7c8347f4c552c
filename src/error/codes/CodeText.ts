/** The description of a code, beside its remedy. */
export interface CodeText {
  /** The fault, as a heading. */
  readonly title: string;
  /** The reason for the refusal, in a sentence or two. */
  readonly meaning: string;
}

/** Types a table by its codes: declarations would repeat the texts otherwise. */
export function createCodeTable<C extends string>(remedies: Readonly<Record<C, string>>): Readonly<Record<C, string>> {
  return remedies;
}
