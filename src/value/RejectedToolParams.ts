/** Replaces the params in an event whose arguments were refused: holds the parsed value, or the text as received. */
export class RejectedToolParams {
  constructor(readonly rawArguments: unknown) {}
}
