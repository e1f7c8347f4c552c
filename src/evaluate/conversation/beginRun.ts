import type { DispatchServices } from '../../dispatch/DispatchContext.js';
import { describeOpened, describeToolChanges } from '../../dispatch/finish/outcomeTexts.js';
import type { ConversationHead } from '../../interface/RunEntry.js';
import type { Message, ToolChanges } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { EvaluateOptions } from '../RunOptions.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import { beginConversation, describeNextOutput, isClosedHash, type ConversationStart } from './beginConversation.js';
import type { Conversation } from './Conversation.js';
import { createRefusal } from './conversationErrors.js';
import { RunLog } from './log/RunLog.js';
import { describeForm } from './prefix/createMessages.js';
import type { StateLink } from './session/SessionLink.js';
import type { QueuedMessage } from './SteeringQueue.js';

const ANY_FORM = '[From here on, answer in plain text again, in no particular form.]';

/**
 * Begins the run of a conversation, or goes on with the one that has not ended: the one with the given id, or the last one if no
 * message was given. With other messages, an open run is abandoned, and its calls are answered (docs/contract.md, 17).
 *
 * @throws PromptEvaluationError E729, E730, E709
 */
export async function beginRun(
  services: Pick<DispatchServices, 'ids' | 'clock' | 'redaction'>,
  conversation: Conversation,
  start: ConversationStart &
    Pick<EvaluateOptions, 'messages' | 'runId' | 'onUnknown'> & { readonly link?: StateLink | undefined },
): Promise<RunLog> {
  const { runId, rendered, link, onUnknown = 'fail' } = start;
  const { ns, key } = rendered.prompt;
  const { prompt, head: begun } = conversation.state;
  if (prompt !== undefined && prompt !== `${ns}/${key}`)
    throw createRefusal(conversation.id, `it belongs to the prompt ${prompt}, not to ${ns}/${key}`, 'E730');
  const { clock, redaction } = services;
  const recordedCall = (call: ToolCall): ToolCall => redaction.call(call, rendered.toolsByName);
  const logOf = (run: string): RunLog => new RunLog({ conversation, run, link, onUnknown, clock, recordedCall });
  const open = conversation.state.open?.began.run;
  const given = start.messages ?? [];
  if (open !== undefined && (given.length === 0 || open === runId)) {
    await beginConversation(conversation, start);
    return logOf(open);
  }
  if (conversation.log.isSteered) await conversation.readInbox(runId ?? '');
  const { waiting } = conversation.steering;
  const unheard = waiting.length === 0 ? waiting : [...waiting];
  const messages = unheard.length === 0 ? given : addUnheard(given, unheard, runId);
  const { isStored } = conversation.log;
  if (open !== undefined) await logOf(open).close('abandoned', 'another message came', isStored);
  if (begun !== undefined && messages.length === 0 && conversation.state.messages.at(-1)?.role === 'assistant')
    throw createRefusal(conversation.id, 'it has an answer already, and no message was given', 'E729');
  await beginConversation(conversation, start);
  const { head, output } = conversation.state;
  // A conversation that begins says everything in its head.
  const isContinued = begun !== undefined && head !== undefined;
  const form = isContinued ? describeNextOutput(start, head, output) : output;
  const notes = isContinued ? changeNotes(conversation, head, rendered) : [];
  if (form !== output) notes.push(describeForm(form ?? ANY_FORM));
  const run = runId ?? services.ids();
  const session = link?.delta();
  const { sharedSession } = link ?? {};
  conversation.enter({
    kind: 'run',
    run,
    messages: notes.length === 0 ? messages : [...messages, ...notes],
    ...(unheard.length === 0 ? undefined : { steered: unheard.map(({ id }) => id) }),
    ...(form === output ? undefined : { output: form ?? null }),
    ...(session && { session }),
    ...(sharedSession === undefined ? undefined : { sharedSession }),
  });
  conversation.steering.remove(unheard.length);
  const written = conversation.log.flush();
  if (written !== undefined) await written;
  return logOf(run);
}

/** Adds the messages that no run has heard yet: those to earlier runs came before the messages of this one, its own came after them. */
function addUnheard(
  given: readonly Message[],
  unheard: readonly QueuedMessage[],
  run: string | undefined,
): readonly Message[] {
  const [own, earlier] = [unheard.filter(isOwn), unheard.filter((queued) => !isOwn(queued))];
  return [...earlier.map(({ message }) => message), ...given, ...own.map(({ message }) => message)];

  function isOwn(queued: QueuedMessage): boolean {
    return queued.run !== undefined && queued.run === run;
  }
}

/** Writes the notes about sections that the host opened, and tools that came or went, since the last run. */
function changeNotes(conversation: Conversation, head: ConversationHead, rendered: RenderedPrompt): Message[] {
  const opened = describeHostExpansions(head, conversation, rendered);
  const tools = findToolChanges(head, conversation, rendered);
  // The opened text comes first: a provider takes tools that come and go behind everything that the user says.
  const notes: Message[] = opened === undefined ? [] : [opened];
  if (tools !== undefined) notes.push({ role: 'user', content: describeToolChanges(tools), note: 'operator', tools });
  return notes;
}

/**
 * Writes a message with the text of the sections that the host has opened since the last run: the head shows their summaries, and sent
 * messages stay as they were. Undefined if it opened none.
 */
function describeHostExpansions(
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

/** Lists the known tools that came or went since the last message; undefined if none did. */
function findToolChanges(
  head: ConversationHead,
  { state: { callable } }: Conversation,
  { toolsByName }: RenderedPrompt,
): ToolChanges | undefined {
  // The tools that show sections stay: they answer that all are open.
  const isShowing = (name: string): boolean => head.offered.some((tool) => tool.name === name && tool.section === '');
  const known = [...head.offered, ...head.closed].map(({ name }) => name);
  const removed = known.filter((name) => callable.has(name) && !toolsByName.has(name) && !isShowing(name));
  const added = known.filter((name) => !callable.has(name) && toolsByName.has(name));
  return removed.length === 0 && added.length === 0 ? undefined : { added, removed };
}
