import { isFields } from 'toolwright/internal';
import type { AiMeans } from './aiMeans.js';
import type { AiProviderOptions } from './AiLanguageModel.js';

const NOTES = 'mid-conversation-system-2026-04-07';
const TOOL_CHANGES = 'mid-conversation-tool-changes-2026-07-01';

/**
 * Returns the betas of a conversation with Claude: `@ai-sdk/anthropic` adds them with the first message that needs them, and
 * what is sent would change then.
 */
export function pinnedBetas(given: AiProviderOptions | undefined, { closedTools, systemNotes }: AiMeans): string[] {
  if (systemNotes !== 'user') return [];
  const anthropic = given?.['anthropic'];
  const own = isFields(anthropic) ? anthropic['anthropicBeta'] : undefined;
  const named = Array.isArray(own) ? own.filter((beta) => typeof beta === 'string') : [];
  return [...new Set([...named, NOTES, ...(closedTools === 'toolChanges' ? [TOOL_CHANGES] : [])])];
}
