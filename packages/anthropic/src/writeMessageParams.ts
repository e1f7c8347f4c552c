import type { Anthropic } from '@anthropic-ai/sdk';
import type { Message } from 'toolwright';
import type { WrittenMessages } from 'toolwright/internal';
import { writeTexts } from './writePartBlocks.js';
import { continuesPause } from './pausedPieces.js';
import { ConversationWriter, type Entry, type WritingRules } from './ConversationWriter.js';

type Block = Anthropic.Beta.Messages.BetaContentBlockParam;

/** A message of a request; marked copies may replace its blocks. */
export interface MessageBlocks {
  readonly role: Entry['role'];
  readonly content: Block[];
}

/** A conversation in the form of a Messages request. */
export interface MessageParams {
  readonly system: readonly Anthropic.Messages.TextBlockParam[];
  /** The entries of its messages; later requests repeat them. */
  readonly entries: readonly Entry[];
}

/** The rules for a request without a conversation. */
const ALONE: WritingRules = { adapter: 'anthropic', systemMessages: false, textOf: ({ content }) => content };

/**
 * Writes a conversation in the form of a Messages request (docs/contract.md, 16 and 17).
 *
 * @param known the entries of earlier requests under the same rules
 * @throws PromptEvaluationError with phase `request` for content that the provider does not take
 */
export function writeMessageParams(
  conversation: readonly Message[],
  rules: WritingRules = ALONE,
  known?: WrittenMessages<Entry>,
): MessageParams {
  const begun = conversation.findIndex(({ role }) => role !== 'system');
  const first = begun < 0 ? conversation.length : begun;
  return {
    system: conversation.slice(0, first).flatMap(({ content }) => writeTexts(content)),
    entries: new ConversationWriter(rules, known).write(conversation, first),
  };
}

/**
 * Joins entries of one role into messages: roles alternate, and the results of a turn stay together. Only the pieces of a paused
 * answer remain separate messages, since later thinking is bound to them.
 */
export function messagesOf(entries: readonly Entry[]): MessageBlocks[] {
  const messages: MessageBlocks[] = [];
  for (const entry of entries) {
    const { role, content } = entry;
    const last = messages.at(-1);
    if (last?.role === role && !continuesPause(entry)) last.content.push(...content);
    else messages.push({ role, content: [...content] });
  }
  return messages;
}
