import type { ConversationHead, RunEntry, LoweredTools, SentDigest } from '../../../interface/RunEntry.js';
import type { Message } from '../../../value/Message.js';
import { OpenRun } from './OpenRun.js';

/** What the entries of a log amount to. */
export interface FoldedLog {
  readonly head: ConversationHead | undefined;
  /** `ns/key`. */
  readonly prompt: string | undefined;
  readonly model: RunEntry<'model'> | undefined;
  /** The messages with which the next request begins; for an open run, the messages before it. */
  readonly messages: readonly Message[];
  readonly open: OpenRun | undefined;
  /** The form of answers that was described last. */
  readonly output: string | undefined;
  /** The digests of the last request. */
  readonly sent: SentDigest | undefined;
  /** The tools as requests have them since the conversation or its segment began. */
  readonly lowered: LoweredTools | undefined;
  /** The models before this one, since the conversation or its segment began. */
  readonly earlierModels: readonly RunEntry<'model'>[];
  /** The number of answers that lost their bound parts when the segment began; 0 once its first request is answered. */
  readonly unbound: number;
}

const NOTHING: FoldedLog = Object.freeze({
  head: undefined,
  prompt: undefined,
  model: undefined,
  messages: [],
  open: undefined,
  output: undefined,
  sent: undefined,
  lowered: undefined,
  earlierModels: [],
  unbound: 0,
});

/**
 * Reads what the entries of a log amount to. Each entry costs what it holds, however many there were before: the messages are
 * appended to one list, where `foldEntry` copies the list that its reader may still hold.
 */
export class LogFold {
  #state: FoldedLog = { ...NOTHING, messages: [] };

  add(entry: RunEntry): void {
    this.#state = applyEntry(this.#state, entry, appendInPlace);
  }

  /** What the entries so far amount to. The fold ends here: a further entry would change the messages. */
  get state(): FoldedLog {
    return this.#state;
  }
}

/** Reads what the entries of a log amount to, in order. */
export function foldEntries(entries: readonly RunEntry[]): FoldedLog {
  const fold = new LogFold();
  for (const entry of entries) fold.add(entry);
  return fold.state;
}

/** Reads one more entry; the messages of the state before stay as they are. */
export function foldEntry(state: FoldedLog, entry: RunEntry): FoldedLog {
  return applyEntry(state, entry, appendToCopy);
}

type Append = (messages: readonly Message[], added: readonly Message[]) => readonly Message[];

function appendToCopy(messages: readonly Message[], added: readonly Message[]): readonly Message[] {
  return [...messages, ...added];
}

function appendInPlace(messages: readonly Message[], added: readonly Message[]): readonly Message[] {
  // Not push(...added), whose arguments the stack would have to hold.
  for (const message of added) (messages as Message[]).push(message);
  return messages;
}

function applyEntry(state: FoldedLog, entry: RunEntry, append: Append): FoldedLog {
  switch (entry.kind) {
    case 'conversation':
      return { ...state, head: entry, prompt: entry.prompt, output: entry.output, messages: [systemMessage(entry)] };
    case 'segment':
      return {
        ...state,
        head: entry,
        sent: undefined,
        lowered: undefined,
        earlierModels: [],
        unbound: entry.unbound ?? 0,
        // The messages of any other segment still describe the form.
        output: entry.reason === 'history' ? entry.output : state.output,
        messages: [systemMessage(entry), ...entry.messages],
        open: state.open?.continueFrom(entry.turn),
      };
    case 'model':
      return {
        ...state,
        model: entry,
        sent: undefined,
        earlierModels: state.model === undefined ? [] : [...state.earlierModels, state.model],
      };
    case 'run': {
      const output = entry.output === undefined ? state.output : (entry.output ?? undefined);
      return { ...state, output, messages: append(state.messages, entry.messages), open: new OpenRun(entry) };
    }
    case 'end': {
      const answered = append(state.messages, state.open?.messages ?? []);
      return { ...state, messages: append(answered, entry.messages), open: undefined };
    }
    default: {
      state.open?.add(entry);
      return entry.kind === 'answer' ? applySent(state, entry) : state;
    }
  }
}

/** Adds the facts about its request that an answer records. */
function applySent(state: FoldedLog, { sent, lowered }: RunEntry<'answer'>): FoldedLog {
  if (sent === undefined && lowered === undefined && state.unbound === 0) return state;
  return {
    ...state,
    unbound: 0,
    sent: sent === undefined ? state.sent : { ...state.sent, ...sent },
    lowered: lowered === undefined ? state.lowered : applyLowered(state.lowered, lowered),
  };
}

function applyLowered(before: LoweredTools = {}, added: LoweredTools): LoweredTools {
  const merged = Object.entries(added).map(([dialect, tools]) => [dialect, { ...before[dialect], ...tools }] as const);
  return { ...before, ...Object.fromEntries(merged) };
}

function systemMessage({ text }: ConversationHead): Message {
  return { role: 'system', content: text };
}
