import { mapEntries } from '../../../common/objects.js';
import type {
  ConversationHead,
  LoweredTools,
  RecordedTool,
  RunEntry,
  SentDigest,
  SessionDelta,
} from '../../../interface/RunEntry.js';
import type { Message } from '../../../value/Message.js';
import { Denials } from './Denials.js';
import { OpenRun } from './OpenRun.js';

/** The state that the entries of a log amount to. */
export interface FoldedLog {
  readonly head: ConversationHead | undefined;
  /** `ns/key`. */
  readonly prompt: string | undefined;
  readonly model: RunEntry<'model'> | undefined;
  /** The messages with which the next request begins; for an open run, the messages before it. */
  readonly messages: readonly Message[];
  /** The names of the known tools that the model may call after the messages. */
  readonly callable: ReadonlySet<string>;
  /** The paths of the sections that the recorded state of the session has open: their text was sent when they were opened. */
  readonly openedSections: ReadonlySet<string>;
  readonly open: OpenRun | undefined;
  /** The form of answers that was described last. */
  readonly output: string | undefined;
  readonly sent: SentDigest | undefined;
  /** The tools as requests have them since the conversation or its segment began. */
  readonly lowered: LoweredTools | undefined;
  /** The models before this one, since the conversation or its segment began. */
  readonly earlierModels: readonly RunEntry<'model'>[];
  /** The denials of people that hold for later calls. */
  readonly denials: Denials;
  /** The number of answers that lost their bound parts when the segment began; 0 once its first request is answered. */
  readonly unbound: number;
}

const NO_SECTIONS: ReadonlySet<string> = new Set();
const SECTIONS_SLICE = 'VisibilityOverrides';

/**
 * Reads the state that the entries of a log amount to. The cost of an entry does not depend on the number before it, so the lists and sets of
 * the state are changed in place: copy one that has to stay as it is.
 */
export class LogFold {
  #state: FoldedLog = {
    head: undefined,
    prompt: undefined,
    model: undefined,
    messages: [],
    callable: new Set(),
    openedSections: NO_SECTIONS,
    open: undefined,
    output: undefined,
    sent: undefined,
    lowered: undefined,
    earlierModels: [],
    denials: new Denials(),
    unbound: 0,
  };

  constructor(entries: readonly RunEntry[] = []) {
    for (const entry of entries) this.add(entry);
  }

  get state(): FoldedLog {
    return this.#state;
  }

  add(entry: RunEntry): void {
    const state = applyEntry(this.#state, entry);
    state.denials.add(entry);
    const openedSections = 'session' in entry ? findOpenedSections(entry.session) : undefined;
    this.#state = openedSections === undefined ? state : { ...state, openedSections };
  }
}

/** Reads the state that the entries of a log amount to, in order. */
export function foldEntries(entries: readonly RunEntry[]): FoldedLog {
  return new LogFold(entries).state;
}

function applyEntry(state: FoldedLog, entry: RunEntry): FoldedLog {
  switch (entry.kind) {
    case 'conversation': {
      const { prompt, output } = entry;
      return { ...state, head: entry, prompt, output, ...beginMessages(entry) };
    }
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
        ...beginMessages(entry, entry.messages),
        open: state.open?.continueFrom(entry),
      };
    case 'model':
      state.open?.add(entry);
      return {
        ...state,
        model: entry,
        sent: undefined,
        output: entry.output ?? state.output,
        earlierModels: state.model === undefined ? [] : [...state.earlierModels, state.model],
      };
    case 'run': {
      const output = entry.output === undefined ? state.output : (entry.output ?? undefined);
      appendMessages(state, entry.messages);
      return { ...state, output, open: new OpenRun(entry, state.model) };
    }
    case 'end':
      appendMessages(state, state.open?.messages ?? []);
      appendMessages(state, entry.messages);
      return { ...state, open: undefined };
    default: {
      state.open?.add(entry);
      return entry.kind === 'answer' ? applySent(state, entry) : state;
    }
  }
}

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
  return { ...before, ...mapEntries(added, (dialect, tools) => ({ ...before[dialect], ...tools })) };
}

function beginMessages(
  { text, offered }: ConversationHead,
  following: readonly Message[] = [],
): Pick<FoldedLog, 'messages' | 'callable'> {
  const begun = { messages: [{ role: 'system', content: text } as const], callable: listNames(offered) };
  appendMessages(begun, following);
  return begun;
}

function listNames(tools: readonly RecordedTool[]): Set<string> {
  return new Set(tools.map(({ name }) => name));
}

/** Appends messages in place, and follows the tools that come and go with them. */
function appendMessages(
  { messages, callable }: Pick<FoldedLog, 'messages' | 'callable'>,
  added: readonly Message[],
): void {
  for (const message of added) {
    (messages as Message[]).push(message);
    const tools = message.role === 'tool' || message.role === 'user' ? message.tools : undefined;
    for (const name of tools?.added ?? []) (callable as Set<string>).add(name);
    for (const name of tools?.removed ?? []) (callable as Set<string>).delete(name);
  }
}

/** Finds the sections that a change of the session leaves open; undefined if it changes none. */
function findOpenedSections(delta: SessionDelta | undefined): ReadonlySet<string> | undefined {
  const values = delta?.appended?.[SECTIONS_SLICE] ?? delta?.replaced?.[SECTIONS_SLICE];
  const { overrides } = (values?.at(-1) ?? {}) as { readonly overrides?: Readonly<Record<string, unknown>> };
  return overrides && new Set(Object.keys(overrides).filter((path) => overrides[path] === 'full'));
}
