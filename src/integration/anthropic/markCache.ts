import type { Anthropic } from '@anthropic-ai/sdk';
import type { MessageParams } from './messageParams.js';

/** How long the provider keeps a prefix that is marked: five minutes or an hour after it was last used. */
export type CacheLifetime = '5m' | '1h';

type Block = Anthropic.Messages.ContentBlockParam;
type Tool = Anthropic.Messages.Tool | Anthropic.Messages.ToolSearchToolBm25_20251119;

/** What the provider refuses a mark on. */
const UNMARKED: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/**
 * Marks the ends of what further requests repeat: of tools and prompt, and of the conversation so far. The provider reads
 * what stands before a mark from its cache, at a fraction of the price.
 */
export function markCache(tools: readonly Tool[], { system, messages }: MessageParams, lifetime: CacheLifetime): void {
  const cache_control = { type: 'ephemeral', ...(lifetime === '1h' ? { ttl: lifetime } : {}) } as const;
  // A tool that is deferred stands in no prefix.
  const prefix = system.at(-1) ?? tools.filter((tool) => tool.defer_loading !== true).at(-1);
  if (prefix !== undefined) prefix.cache_control = cache_control;
  const content = messages.at(-1)?.content ?? [];
  const last = content.at(-1);
  if (last === undefined || UNMARKED.has(last.type)) return;
  // A block may be the one that a message of the conversation holds.
  content[content.length - 1] = { ...last, cache_control } as Block;
}
