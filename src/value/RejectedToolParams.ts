/** What stands in an event instead of params when the arguments were refused: the parsed value, or the text as it came. */
export class RejectedToolParams {
  constructor(readonly rawArguments: unknown) {}
}
