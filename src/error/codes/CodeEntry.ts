/** What one code stands for: the source of docs/errors.md. */
export interface CodeEntry {
  /** What is wrong, as a heading. */
  readonly title: string;
  /** Why it is refused, in a sentence or two. */
  readonly meaning: string;
  /** What to change. */
  readonly remedy: string;
}
