import jsonPatch from 'fast-json-patch';
import type { ChatRequest } from '../chats/ChatService.js';
import { readRun } from '../chats/readRun.js';
import { mayChangeState, StateReader } from '../chats/StateReader.js';
import { type AgUiEventOptions, AgUiEventWriter, type InterruptDetails } from './AgUiEventWriter.js';
import type { AgUiEvent, AgUiGeneration } from './agUiEvents.js';
import type { StreamPlace } from './beginStream.js';
import { toAgUiMessages } from './toAgUiMessages.js';

/**
 * Yields the events of a run for one request, up to its end or its next questions.
 *
 * @param signal ends the reading, not the run
 * @throws errors of the store, unchanged; the reason of the signal
 */
export async function* writeStream(
  chat: ChatRequest,
  form: Omit<AgUiEventOptions, 'run'>,
  place: StreamPlace,
  signal: AbortSignal,
): AsyncGenerator<AgUiEvent, void> {
  const { run } = place;
  const writer = new AgUiEventWriter({ ...form, run });
  const snapshot = (): Promise<AgUiEvent> => takeSnapshot(chat, run, writer.seq, form.generation);
  yield writer.start();
  const { state: slices } = chat.options;
  const state = slices === undefined ? undefined : new StateReader(chat.runs, run, slices);
  if (state !== undefined) yield await showState(state);
  let needsSnapshot = place.needsSnapshot;
  for await (const { event, isNew } of readRun(chat, place, signal)) {
    if (!isNew) {
      writer.skip(event);
      continue;
    }
    if (needsSnapshot) {
      // A client keeps its order: its new message has to vanish first, and so comes behind what it has missed.
      if (place.after === 0) yield await takeSnapshot(chat, run, -1, form.generation);
      yield await snapshot();
    }
    for (const written of writer.write(event)) yield written;
    needsSnapshot = false;
    if (writer.needsSnapshot) yield await snapshot();
    if (state !== undefined && mayChangeState(event)) {
      const before = state.state;
      if (await state.refresh()) yield { type: 'STATE_DELTA', delta: jsonPatch.compare(before, state.state) };
    }
  }
  const { questions } = writer;
  if (questions.length > 0 && state !== undefined) yield await showState(state);
  if (questions.length > 0 || needsSnapshot) yield await snapshot();
  if (place.isGivenUp === true && writer.hasEnded) yield writer.acknowledge();
  else for (const written of writer.finish(await describeQuestions(chat, run, questions))) yield written;
}

async function showState(state: StateReader): Promise<AgUiEvent> {
  await state.refresh();
  return { type: 'STATE_SNAPSHOT', snapshot: state.state };
}

/**
 * Returns the messages of the conversation up to a place in the log; 0 is the place behind the message that began the run, and -1 the place
 * before it.
 */
async function takeSnapshot(
  { runs }: ChatRequest,
  run: string,
  seq: number,
  generation: AgUiGeneration,
): Promise<AgUiEvent> {
  const history = await runs.history(run);
  const begin = history.find((entry) => entry.kind === 'run' && entry.run === run);
  const end = seq < 0 ? (begin?.seq ?? 1) - 1 : Math.max(seq, begin?.seq ?? 0);
  const seen = history.filter((entry) => (entry.seq ?? 0) <= end);
  return { type: 'MESSAGES_SNAPSHOT', messages: toAgUiMessages(seen, generation) };
}

async function describeQuestions(
  { approvals, runs }: ChatRequest,
  run: string,
  questions: readonly string[],
): Promise<ReadonlyMap<string, InterruptDetails>> {
  const details = new Map<string, InterruptDetails>();
  if (questions.length === 0) return details;
  const { expiresAt } = await runs.get(run);
  for (const question of questions)
    details.set(question, {
      description: await approvals.describeAsked(run, question),
      expiresAt: expiresAt ?? undefined,
    });
  return details;
}
