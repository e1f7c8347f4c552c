import { brand } from '../common/brand.js';
import type { PrefixMeasure } from '../interface/Interceptor.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `PrefixMeasured`. */
export interface PrefixMeasuredFields extends EventHead, PrefixMeasure {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The id of the conversation; empty for a run without a conversation. */
  readonly conversation: string;
  /** 1 for the first request of the run. */
  readonly turn: number;
  /** False if the provider refused the request or did not answer it. */
  readonly answered: boolean;
  /**
   * The number of answers sent without their bound thinking or reasoning, because the messages before them changed.
   * More than 0 only on the first request of a segment.
   */
  readonly unboundAnswers: number;
  /** Input tokens that the provider reports as read from its cache. */
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  /** Why the provider could not use its cache, in the words of the provider. */
  readonly cacheMiss: string | undefined;
}

/** A request was sent and compared with the previous request of its conversation (docs/contract.md, 17). */
export class PrefixMeasured extends FrozenEvent<PrefixMeasuredFields> {}
brand(PrefixMeasured, 'PrefixMeasured');
export interface PrefixMeasured extends PrefixMeasuredFields {}
