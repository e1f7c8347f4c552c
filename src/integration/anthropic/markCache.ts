import type { Anthropic } from '@anthropic-ai/sdk';
import type { MessageParams } from './messageParams.js';

/** The lifetime of a marked prefix in the provider's cache: five minutes or an hour after its last use. */
export type CacheLifetime = '5m' | '1h';

type Block = Anthropic.Messages.ContentBlockParam;
type Tool = Anthropic.Messages.Tool | Anthropic.Messages.ToolSearchToolBm25_20251119;

/** The blocks on which the provider refuses a mark. */
const UNMARKED: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/**
 * Marks the ends of the parts that later requests repeat: of tools and prompt, and of the conversation so far. The provider
 * reads everything before a mark from its cache, at a fraction of the price.
 */
export function markCache(tools: readonly Tool[], { system, messages }: MessageParams, lifetime: CacheLifetime): void {
  const cache_control = { type: 'ephemeral', ...(lifetime === '1h' ? { ttl: lifetime } : {}) } as const;
  // A deferred tool is not part of the prefix.
  const prefix = system.at(-1) ?? tools.filter((tool) => tool.defer_loading !== true).at(-1);
  if (prefix !== undefined) prefix.cache_control = cache_control;
  const content = messages.at(-1)?.content ?? [];
  const last = content.at(-1);
  if (last === undefined || UNMARKED.has(last.type)) return;
  // Copied, since the block may be shared with a message of the conversation.
  content[content.length - 1] = { ...last, cache_control } as Block;
}
