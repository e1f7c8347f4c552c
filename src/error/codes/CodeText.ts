/** The description of a code, beside its remedy. */
export interface CodeText {
  /** The fault, as a heading. */
  readonly title: string;
  /** The reason for the refusal, in a sentence or two. */
  readonly meaning: string;
}
