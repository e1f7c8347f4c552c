import type { ConversationHead, LogEntry, ModelChosen, SentDigest } from '../../interface/RunStore.js';
import type { Message } from '../../value/Message.js';
import { OpenRun } from './OpenRun.js';

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
        open: state.open === undefined ? undefined : new OpenRun(state.open.began, state.open.entries, entry.turn),
      };
    case 'model':
      return { ...state, model: entry, sent: undefined };
    case 'run': {
      const output = entry.output === undefined ? state.output : (entry.output ?? undefined);
      return {
        ...state,
        output,
        messages: [...state.messages, ...entry.messages],
        open: new OpenRun(entry),
      };
    }
    case 'end': {
      const messages = [...state.messages, ...(state.open?.messages ?? []), ...entry.messages];
      return { ...state, messages, open: undefined };
    }
    default: {
      state.open?.add(entry);
      if (entry.kind !== 'answer' || entry.sent === undefined) return state;
      return { ...state, sent: { ...state.sent, ...entry.sent } };
    }
  }
}

function systemMessage({ text }: ConversationHead): Message {
  return { role: 'system', content: text };
}
