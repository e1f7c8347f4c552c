/** Estimated cost, in tokens, of showing a section in full rather than as its summary (docs/contract.md, 12). */
export interface SectionCost {
  readonly path: string;
  /** Cost of its heading and summary, as rendered. */
  readonly summary: number;
  /** Cost of its whole text, including the sections that would then be rendered below it. */
  readonly content: number;
  /** Cost of the tools that would be offered with it: their names, descriptions and schemas. */
  readonly tools: number;
  /** Growth of every later request when the model opens it: `content` and `tools`. The summary remains in the text. */
  readonly total: number;
}
