import type { EventHead } from './ToolInvoked.js';

/** The fields of `PrefixMeasured`. */
export interface PrefixMeasuredFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  /** The id of the conversation; empty for a run that belongs to none. */
  readonly conversation: string;
  /** 1 for the first request of the run. */
  readonly turn: number;
  /** Bytes of the entries that are as in the request before; 0 for the first of a conversation. */
  readonly keptBytes: number;
  readonly newBytes: number;
  /** Estimated tokens of the entries that are as in the request before. */
  readonly keptTokens: number;
  /** Bytes of the entries of the request before that were changed or left out: 0, unless something is wrong. */
  readonly changedBytes: number;
  /** The first of them, e.g. `messages[3]`; undefined if there is none. */
  readonly brokenAt: string | undefined;
  /** Other fields of the request that changed, e.g. `tool_choice`: they may cost the cache. */
  readonly changedParameters: readonly string[];
  /** Input tokens that the provider read from its cache, as it says. */
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  /** Why the provider could not use its cache, in its own words. */
  readonly cacheMiss: string | undefined;
}

/** A request was compared with the one before it in its conversation, and answered (docs/contract.md, 17). */
export class PrefixMeasured {
  constructor(fields: PrefixMeasuredFields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }
}
export interface PrefixMeasured extends PrefixMeasuredFields {}
