import type { JsonValue } from '../common/types.js';

/**
 * An answer as its provider wants it back with the next request, where text and calls do not say all of it: signed reasoning,
 * or what a tool of the provider found. Only an adapter for that provider reads it.
 */
export interface NativeContent {
  /** E.g. `anthropic`. */
  readonly provider: string;
  /** The parts of the answer in order, in the provider's form; plain JSON. */
  readonly content: readonly JsonValue[];
}
