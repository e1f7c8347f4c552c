import type { Usage } from 'toolwright';
import type { Json } from '../format';

/** Usage as cases write it. */
export function usageOf(usage: Json): Usage {
  const { input_tokens, output_tokens, total_tokens, cached_tokens } = usage as Readonly<
    Record<string, number | undefined>
  >;
  return {
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    totalTokens: total_tokens,
    cachedInputTokens: cached_tokens,
  };
}
