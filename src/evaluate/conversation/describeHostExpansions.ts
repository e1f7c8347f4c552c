import { describeOpened } from '../../dispatch/finish/outcomeTexts.js';
import type { ConversationHead } from '../../interface/RunEntry.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { Message } from '../../value/Message.js';
import { isClosedHash } from './beginConversation.js';
import type { Conversation } from './Conversation.js';

/**
 * Writes a message with the text of the sections that the host has opened since the last run: the head shows their summaries, and sent
 * messages stay as they were. Undefined if it opened none.
 */
export function describeHostExpansions(
  head: ConversationHead,
  { state: { openedSections, messages } }: Conversation,
  rendered: RenderedPrompt,
): Message | undefined {
  const isSent = (path: string): boolean =>
    openedSections.has(path) || messages.some(({ content }) => content?.includes(rendered.textOf(path)) === true);
  const opened = Object.entries(rendered.visibility).flatMap(([path, visibility]) =>
    visibility === 'full' && isClosedHash(head.sections[path]) && !isSent(path) ? [path] : [],
  );
  // The text of a section includes the sections below it.
  const paths = opened.filter((path) => !opened.some((other) => path.startsWith(`${other}.`)));
  if (paths.length === 0) return undefined;
  const texts = paths.map((path) => rendered.textOf(path));
  // Text of hooks does not speak with the operator's authority.
  return { role: 'user', content: describeOpened(paths, texts, []), note: 'application' };
}
