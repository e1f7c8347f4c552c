import { brand } from '../common/brand.js';
import type { PrefixMeasure } from '../interface/Interceptor.js';
import type { EventHead } from './ToolInvoked.js';

/** The fields of `PrefixMeasured`. */
export interface PrefixMeasuredFields extends EventHead, PrefixMeasure {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The id of the conversation; empty for a run that belongs to none. */
  readonly conversation: string;
  /** 1 for the first request of the run. */
  readonly turn: number;
  /** False for a request that the provider refused, or did not answer. */
  readonly answered: boolean;
  /**
   * The number of answers that were sent without their bound thinking or reasoning, since the messages before them changed: more than
   * 0 only on the first request of a segment.
   */
  readonly unboundAnswers: number;
  /** Input tokens that the provider read from its cache, as it says. */
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  /** Why the provider could not use its cache, in its own words. */
  readonly cacheMiss: string | undefined;
}

/** A request was sent, and compared with the one before it in its conversation (docs/contract.md, 17). */
export class PrefixMeasured {
  constructor(fields: PrefixMeasuredFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }
}
brand(PrefixMeasured, 'PrefixMeasured');
export interface PrefixMeasured extends PrefixMeasuredFields {}
