import { describeOpened } from '../../dispatch/finish/outcomeTexts.js';
import type { ConversationHead, RunEntry, SessionDelta } from '../../interface/RunEntry.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { Message } from '../../value/Message.js';
import { isClosedHash } from './beginConversation.js';
import type { Conversation } from './Conversation.js';

const SLICE = 'VisibilityOverrides';

/**
 * Writes a message with the text of the sections that the host has opened since the last run: the head shows their summaries, and sent
 * messages stay as they were. Undefined if it opened none.
 */
export function describeHostExpansions(
  head: ConversationHead,
  { log, messages }: Conversation,
  rendered: RenderedPrompt,
): Message | undefined {
  const recorded = findOpenedSections(log.entries);
  const isSent = (path: string): boolean =>
    recorded.has(path) || messages.some(({ content }) => content?.includes(rendered.textOf(path)) === true);
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

/** The sections that the recorded state of the session has open: their text was sent when they were opened. */
function findOpenedSections(entries: readonly RunEntry[]): ReadonlySet<string> {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    const overrides =
      entry === undefined ? undefined : findLastOverrides('session' in entry ? entry.session : undefined);
    if (overrides !== undefined) return new Set(Object.keys(overrides).filter((path) => overrides[path] === 'full'));
  }
  return new Set();
}

function findLastOverrides(delta: SessionDelta | undefined): Readonly<Record<string, unknown>> | undefined {
  const values = delta?.appended?.[SLICE] ?? delta?.replaced?.[SLICE];
  return (values?.at(-1) as { readonly overrides?: Readonly<Record<string, unknown>> } | undefined)?.overrides;
}
