import type { Anthropic } from '@anthropic-ai/sdk';
import { isBlank } from './writeAssistantBlocks.js';
import type { MessageBlocks } from './writeMessageParams.js';
import type { MessageTool } from './writeMessageTools.js';

/** The lifetime of a marked prefix in the provider's cache: five minutes or an hour after its last use. */
export type CacheLifetime = '5m' | '1h';

type Text = Anthropic.Messages.TextBlockParam;

/** The parts of a request that can be marked. */
export interface Markable {
  readonly tools: readonly MessageTool[];
  readonly system: readonly Text[];
  readonly messages: readonly MessageBlocks[];
}

/** Types of blocks that may carry a mark: not thinking, and no block that only the provider knows. */
const MARKED: ReadonlySet<string> = new Set([
  'text',
  'image',
  'document',
  'tool_result',
  'tool_use',
  'tool_addition',
  'tool_removal',
]);

/**
 * Marks the ends of the parts that later requests repeat: tools and prompt, and the conversation so far. The provider reads
 * everything before a mark from its cache, at a fraction of the price. Copies are marked: the entries of a conversation stay
 * unchanged.
 */
export function markCache({ tools, system, messages }: Markable, lifetime: CacheLifetime): Markable {
  const cache_control = { type: 'ephemeral' as const, ...(lifetime === '1h' ? { ttl: lifetime } : {}) };
  const marked = <T extends object>(all: readonly T[], at: number): readonly T[] =>
    all.map((one, index) => (index === at ? { ...one, cache_control } : one));
  // A deferred tool is not part of the prefix, and the provider refuses a mark on it.
  const lastTool = system.length > 0 ? -1 : tools.map((tool) => tool.defer_loading !== true).lastIndexOf(true);
  return {
    tools: marked(tools, lastTool),
    system: marked(system, system.length - 1),
    messages: messages.map((message, index) => {
      if (index !== messages.length - 1) return message;
      const at = message.content.map((block) => MARKED.has(block.type) && !isBlank(block)).lastIndexOf(true);
      return { ...message, content: [...marked(message.content, at)] };
    }),
  };
}
