import type { JsonValue } from '../common/types.js';

/**
 * An answer in the form that its provider expects back with the next request, where text and calls do not represent all of it:
 * signed reasoning, or the findings of a provider's tool. Only an adapter for that provider reads it.
 */
export interface NativeContent {
  /** E.g. `anthropic`. */
  readonly provider: string;
  /** The parts of the answer in order, in the provider's form; plain JSON. */
  readonly content: readonly JsonValue[];
  /** The positions in `content` at which the provider had paused, and was asked to continue. */
  readonly pauses?: readonly number[] | undefined;
}
