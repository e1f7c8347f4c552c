import { brand, hasBrand } from '../common/brand.js';

/** Replaces the params in an event whose arguments were refused: holds the parsed value, or the text as received. */
export class RejectedToolParams {
  constructor(readonly rawArguments: unknown) {}

  /** True if the value replaces refused arguments, of any copy of the package. */
  static is(this: void, value: unknown): value is RejectedToolParams {
    return hasBrand(value, 'RejectedToolParams');
  }
}
brand(RejectedToolParams, 'RejectedToolParams');
