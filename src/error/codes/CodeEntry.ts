/** The description of one code; docs/errors.md is generated from it. */
export interface CodeEntry {
  /** The fault, as a heading. */
  readonly title: string;
  /** The reason for the refusal, in a sentence or two. */
  readonly meaning: string;
  /** The change that corrects it. */
  readonly remedy: string;
}
