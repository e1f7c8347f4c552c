/**
 * The estimated cost in tokens of showing a section in full instead of its summary, or of offering tools that the model
 * found in it (docs/contract.md, 12).
 */
export interface SectionCost {
  readonly path: string;
  /** Cost of the heading and summary, as rendered; 0 if only tools are added. */
  readonly summary: number;
  /** Cost of the whole text, including the sections that would then be rendered below it; 0 if only tools are added. */
  readonly content: number;
  /** Cost of the names, descriptions and schemas of the tools that it would offer. */
  readonly tools: number;
  /**
   * Growth of every later request if the model opens the section: `content` and `tools`. The summary remains in the
   * text.
   */
  readonly total: number;
}
