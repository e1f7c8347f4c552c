/** What a request repeats of the one before it in its conversation, and what broke it (docs/contract.md, 17). */
export interface PrefixMeasure {
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
}
