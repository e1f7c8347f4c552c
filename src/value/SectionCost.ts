/** What it costs to show a section in full rather than as its summary, in tokens; estimated (docs/contract.md, 12). */
export interface SectionCost {
  readonly path: string;
  /** Of its heading and summary, as they stand in the text. */
  readonly summary: number;
  /** Of its whole text, with what would then stand below it. */
  readonly content: number;
  /** Of the tools that would be offered with it: their names, descriptions and schemas. */
  readonly tools: number;
  /** What every later request grows by when the model opens it: `content` and `tools`. The summary stays where it is. */
  readonly total: number;
}
