import type {
  ConversationHead,
  LogEntry,
  ModelAnswered,
  ModelChosen,
  RunBegan,
  SentDigest,
} from '../../interface/RunStore.js';
import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';

/** A run that has not ended, and what is recorded of it. */
interface OpenRun {
  readonly began: RunBegan;
  /** Grows as the run goes on. */
  readonly entries: LogEntry[];
  /** The first turn whose messages are not in the messages that the run begins with: 1, or the one of a later segment. */
  readonly from: number;
}

/** What the entries of a log amount to. */
export interface FoldedLog {
  readonly head: ConversationHead | undefined;
  /** `ns/key`. */
  readonly prompt: string | undefined;
  readonly model: ModelChosen | undefined;
  /** The messages with which the next request begins; those of an open run up to its beginning. */
  readonly messages: readonly Message[];
  readonly open: OpenRun | undefined;
  /** The form of answers that was described last. */
  readonly output: string | undefined;
  /** The digests of the last request. */
  readonly sent: SentDigest | undefined;
}

const NOTHING: FoldedLog = Object.freeze({
  head: undefined,
  prompt: undefined,
  model: undefined,
  messages: [],
  open: undefined,
  output: undefined,
  sent: undefined,
});

/** Reads what the entries of a log amount to, in order. */
export function foldEntries(entries: readonly LogEntry[]): FoldedLog {
  return entries.reduce(foldEntry, NOTHING);
}

/** Reads one more entry. */
export function foldEntry(state: FoldedLog, entry: LogEntry): FoldedLog {
  switch (entry.kind) {
    case 'conversation':
      return { ...state, head: entry, prompt: entry.prompt, output: entry.output, messages: [systemMessage(entry)] };
    case 'segment':
      return {
        ...{ ...state, head: entry, output: entry.output, sent: undefined },
        messages: [systemMessage(entry), ...entry.messages],
        open: state.open === undefined ? undefined : { ...state.open, from: entry.turn },
      };
    case 'model':
      return { ...state, model: entry, sent: undefined };
    case 'run': {
      const output = entry.output === undefined ? state.output : (entry.output ?? undefined);
      return {
        ...state,
        output,
        messages: [...state.messages, ...entry.messages],
        open: { began: entry, entries: [], from: 1 },
      };
    }
    case 'end': {
      const messages = [...state.messages, ...messagesSince(state.open), ...entry.messages];
      return { ...state, messages, open: undefined };
    }
    default: {
      // In place: to copy the entries of a run for each of them would cost the square of their number.
      state.open?.entries.push(entry);
      if (entry.kind !== 'answer' || entry.sent === undefined) return state;
      return { ...state, sent: { ...state.sent, ...entry.sent } };
    }
  }
}

function systemMessage({ text }: ConversationHead): Message {
  return { role: 'system', content: text };
}

const assistantMessages = new WeakMap<object, Message>();

/** The message of an answer of the model: the same object for the same answer. */
export function assistantMessage(answer: Pick<ModelAnswered, 'text' | 'toolCalls' | 'native'>): Message {
  const { text, toolCalls, native } = answer;
  const known = assistantMessages.get(answer);
  if (known !== undefined) return known;
  const message: Message = {
    role: 'assistant',
    content: text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(native === undefined ? {} : { native }),
  };
  assistantMessages.set(answer, message);
  return message;
}

/** The messages of a run that are not in those that it begins with. */
function messagesSince(open: OpenRun | undefined): readonly Message[] {
  if (open === undefined) return [];
  return messagesOf(open.from === 1 ? open.entries : open.entries.filter((entry) => turnOf(entry) >= open.from));
}

function turnOf(entry: LogEntry): number {
  if ('turn' in entry) return entry.turn;
  return 'call' in entry ? Number(entry.call.split('.')[0]) : 0;
}

/** The messages that the recorded entries of one run amount to. */
export function messagesOf(entries: readonly LogEntry[]): readonly Message[] {
  const messages: Message[] = [];
  const outcomes = new Map<string, Message>();
  let last: ModelAnswered | undefined;
  for (const entry of entries) {
    if (entry.kind === 'outcome') outcomes.set(entry.call, entry.message);
    if (entry.kind !== 'answer' && entry.kind !== 'note') continue;
    addOutcomes(messages, last, outcomes);
    last = entry.kind === 'answer' ? entry : undefined;
    messages.push(entry.kind === 'answer' ? assistantMessage(entry) : entry.message);
  }
  addOutcomes(messages, last, outcomes);
  return messages;
}

/** Adds the outcomes of the calls of an answer in their order; a call that was sent twice has that of the first. */
function addOutcomes(
  messages: Message[],
  answer: ModelAnswered | undefined,
  outcomes: ReadonlyMap<string, Message>,
): void {
  if (answer === undefined) return;
  const { turn, toolCalls } = answer;
  for (const call of toolCalls) {
    const outcome = outcomes.get(callId(turn, firstOf(toolCalls, call)));
    if (outcome !== undefined) messages.push(outcome);
  }
}

/** The id of a call in its log: `2.1` for the second one of turn 2. */
export function callId(turn: number, position: number): string {
  return `${String(turn)}.${String(position)}`;
}

/** The position of the first call that is the same. */
function firstOf(calls: readonly ToolCall[], call: ToolCall): number {
  return calls.findIndex((one) => isSameCall(one, call));
}

/** True for a call that a provider sent twice; two calls that only share an id are two. */
function isSameCall(one: ToolCall, other: ToolCall): boolean {
  return (
    one === other ||
    (one.id === other.id &&
      one.name === other.name &&
      JSON.stringify(one.arguments) === JSON.stringify(other.arguments))
  );
}

/** The calls of an answer without an outcome, each once, with their positions. */
export function openCalls(entries: readonly LogEntry[]): readonly { readonly call: ToolCall; readonly id: string }[] {
  const last = lastAnswer(entries);
  if (last === undefined || last.toolCalls.length === 0) return [];
  const ended = new Set(entries.flatMap((entry) => (entry.kind === 'outcome' ? [entry.call] : [])));
  return last.toolCalls.flatMap((call, position) => {
    const id = callId(last.turn, position);
    const isRepeated = firstOf(last.toolCalls, call) !== position;
    return isRepeated || ended.has(id) ? [] : [{ call, id }];
  });
}

function lastAnswer(entries: readonly LogEntry[]): ModelAnswered | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'answer') return entry;
  }
  return undefined;
}
