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
  /** Other fields of the request that changed and may cost the cache, e.g. `tool_choice`; limits and samplings of the answer never do. */
  readonly changedParameters: readonly string[];
}
