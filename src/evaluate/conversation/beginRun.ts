import type { DispatchServices } from '../../dispatch/CallRun.js';
import { toolChangesText } from '../../dispatch/messages.js';
import type { ConversationHead } from '../../interface/RunStore.js';
import type { Message } from '../../value/Message.js';
import type { ToolChanges } from '../../value/ToolChanges.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import { beginConversation, describedOutput, type ConversationStart } from './beginConversation.js';
import type { Conversation } from './Conversation.js';
import { nothingToAnswer, otherPrompt } from './conversationFaults.js';
import { foldEntries } from './foldEntries.js';
import { RunLog, type RecordedRun, type UnknownCallPolicy } from './RunLog.js';
import type { SessionLink } from './SessionLink.js';

const ANY_FORM = '[From here on, answer in plain text again, in no particular form.]';

/** What a run of a conversation begins with. */
export interface RunStart extends ConversationStart {
  /** The messages of the caller; undefined if it gave none. */
  readonly messages: readonly Message[] | undefined;
  /** The id that the caller gave the run. */
  readonly runId: string | undefined;
  readonly link: SessionLink | undefined;
  readonly onUnknown: UnknownCallPolicy;
}

/** A run that begins or goes on, and the messages that it begins with. */
export interface BegunRun {
  readonly log: RunLog;
  readonly messages: readonly Message[];
}

/**
 * Begins the run of a conversation, or goes on with the one that has not ended: the one with the given id, or the last one if no
 * message was given. The answer of a run that has ended is read from the log. With other messages, an open run is given up, and its calls are answered (docs/contract.md, 17).
 *
 * @throws PromptEvaluationError E729, E730, E709
 */
export async function beginRun(
  services: Pick<DispatchServices, 'serialiser' | 'ids' | 'clock'>,
  conversation: Conversation,
  start: RunStart,
): Promise<BegunRun> {
  const { messages = [], runId, rendered, link, onUnknown } = start;
  const { ns, key } = rendered.prompt;
  const { prompt, head: begun } = conversation.state;
  if (prompt !== undefined && prompt !== `${ns}/${key}`) throw otherPrompt(conversation.id, prompt, `${ns}/${key}`);
  const logOf = (run: string, recorded = openEntries(conversation)): RunLog =>
    new RunLog({ conversation, run, link, onUnknown, clock: services.clock, recorded });
  const open = conversation.state.open?.began.run;
  const answered = runId === undefined || runId === open ? undefined : answeredRun(conversation, runId);
  if (runId !== undefined && answered !== undefined)
    return { log: logOf(runId, answered), messages: answered.messages };
  if (open !== undefined && (messages.length === 0 || open === runId)) {
    await beginConversation(services, conversation, start);
    return { log: logOf(open), messages: conversation.messages };
  }
  if (open !== undefined) await logOf(open).close('abandoned', 'another message came');
  if (begun !== undefined && messages.length === 0 && conversation.messages.at(-1)?.role === 'assistant')
    throw nothingToAnswer(conversation.id);
  await beginConversation(services, conversation, start);
  const { head } = conversation.state;
  const changes = begun === undefined || head === undefined ? undefined : toolChanges(head, conversation, rendered);
  const described = describedOutput(start);
  const isOtherForm = described !== conversation.state.output;
  const notes: readonly Message[] = [
    ...(changes === undefined
      ? []
      : [{ role: 'user', content: toolChangesText(changes), note: 'operator', tools: changes } as const]),
    ...(isOtherForm ? [{ role: 'user', content: described ?? ANY_FORM, note: 'operator' } as const] : []),
  ];
  const run = runId ?? services.ids();
  const session = link?.delta();
  conversation.enter({
    ...{ kind: 'run', run, messages: [...messages, ...notes] },
    ...(isOtherForm ? { output: described ?? null } : {}),
    ...(session === undefined ? {} : { session }),
  });
  await conversation.log.flush();
  return { log: logOf(run), messages: conversation.messages };
}

/** The entries of the run that has not ended. */
function openEntries({ state, log }: Conversation): RecordedRun {
  const entries = state.open?.entries ?? [];
  return { entries, before: log.entries.length - entries.length, isEnded: false };
}

/** A run that was answered, and the messages that it began with; undefined if there is none of this id. */
function answeredRun(
  { log: { entries } }: Conversation,
  run: string,
): (RecordedRun & { readonly messages: readonly Message[] }) | undefined {
  const end = entries.findIndex((entry) => entry.kind === 'end' && entry.run === run && entry.how === 'answered');
  if (end < 0) return undefined;
  let start = end;
  while (entries[start]?.kind !== 'run') start--;
  const { messages } = foldEntries(entries.slice(0, start + 1));
  return { entries: entries.slice(start + 1, end), before: start + 1, isEnded: true, messages };
}

/** The tools that came or went since the last message, of those that the conversation knows; undefined if none did. */
function toolChanges(
  head: ConversationHead,
  { messages }: Conversation,
  { toolsByName }: RenderedPrompt,
): ToolChanges | undefined {
  const callable = callableTools(head, messages);
  // Those that show sections stay: they answer that all are open.
  const isShowing = (name: string): boolean => head.offered.some((tool) => tool.name === name && tool.section === '');
  const known = [...head.offered, ...head.closed].map(({ name }) => name);
  const removed = known.filter((name) => callable.has(name) && !toolsByName.has(name) && !isShowing(name));
  const added = known.filter((name) => !callable.has(name) && toolsByName.has(name));
  return removed.length === 0 && added.length === 0 ? undefined : { added, removed };
}

/** The tools that the model may call after the messages, of those that the conversation knows. */
function callableTools({ offered }: ConversationHead, messages: readonly Message[]): ReadonlySet<string> {
  const names = new Set(offered.map(({ name }) => name));
  for (const message of messages) {
    const tools = message.role === 'tool' || message.role === 'user' ? message.tools : undefined;
    for (const name of tools?.added ?? []) names.add(name);
    for (const name of tools?.removed ?? []) names.delete(name);
  }
  return names;
}
