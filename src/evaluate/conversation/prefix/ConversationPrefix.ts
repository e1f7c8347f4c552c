import { sha256 } from '../../../common/builtins.js';
import { memoize } from '../../../common/memoize.js';
import type { SentRequest } from '../../../interface/ModelAdapter.js';
import type { PrefixMeasure } from '../../../interface/Interceptor.js';
import type { ConversationHead, RunEntry, SentDigest } from '../../../interface/RunEntry.js';
import { approximateTokens } from '../../../limit/approximateTokens.js';
import type { TokenEstimator } from '../../../interface/ports.js';
import type { FoldedLog } from '../log/foldEntries.js';

/** The parts of a request, in the order in which providers compare them. */
const PARTS = ['tools', 'system', 'messages'] as const;

type PrefixPart = (typeof PARTS)[number];

/** One part of a request. It is written and hashed on first use: most are never asked for. */
class Entry {
  readonly value: unknown;
  #facts: { readonly hash: string; readonly bytes: number } | undefined;
  #tokens: number | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get facts(): { readonly hash: string; readonly bytes: number } {
    if (this.#facts !== undefined) return this.#facts;
    const text = writeText(this.value);
    return (this.#facts = { hash: sha256(text), bytes: Buffer.byteLength(text) });
  }

  tokens(estimator: TokenEstimator): number {
    return (this.#tokens ??= estimateSafely(writeText(this.value), estimator));
  }

  /** True if a provider gets the same bytes. */
  isSame(other: Entry): boolean {
    const isOne = typeof this.value === 'object' && this.value === other.value;
    return this === other || isOne || this.facts.hash === other.facts.hash;
  }
}

/** Hexadecimal digits: enough to see a change, short enough to be in every answer. */
const DIGEST = 16;

type Entries = Readonly<Record<PrefixPart, readonly Entry[]>>;

/** A request as it was sent; its parts are looked at on first use. */
class Sent {
  readonly parameters: SentRequest['parameters'];
  #parts: Readonly<Record<PrefixPart, readonly unknown[]>> | undefined;
  #entries: Entries | undefined;
  /** The ledger before this one: entries for the same objects are taken over, and then it is released. */
  #before: Sent | undefined;

  constructor({ tools, system, messages, parameters }: SentRequest, before: Sent | undefined) {
    this.parameters = { ...parameters };
    // Adapters may go on with their lists.
    this.#parts = { tools: [...tools], system: [...system], messages: [...messages] };
    this.#before = before === undefined || before.#entries === undefined ? undefined : before;
  }

  get count(): number {
    return (this.#entries ?? this.#parts)?.messages.length ?? 0;
  }

  get entries(): Entries {
    if (this.#entries !== undefined || this.#parts === undefined) return this.#entries ?? NO_ENTRIES;
    const parts = this.#parts;
    const before = this.#before?.entries ?? NO_ENTRIES;
    const of = (part: PrefixPart): readonly Entry[] =>
      parts[part].map((value, index) => entryOf(value, before[part][index]));
    this.#entries = { tools: of('tools'), system: of('system'), messages: of('messages') };
    this.#parts = undefined;
    this.#before = undefined;
    return this.#entries;
  }
}

const NO_ENTRIES: Entries = { tools: [], system: [], messages: [] };

/** Compares each request of a conversation with the one before it (docs/contract.md, 17). */
export class ConversationPrefix {
  #last: Sent | undefined;
  #digest: SentDigest | undefined;
  readonly #digests: { [part in 'tools' | 'system']?: { readonly hashes: string; readonly digest: string } } = {};
  #model: string | undefined;
  #head: ConversationHead | undefined;
  /** The number of messages that was sent before each answer to this model, by the answer's position in the log. */
  #counts = new Map<number, number>();

  /**
   * Notes a request, and returns a function that compares it with the last one. The first request of a process is compared with
   * the recorded digests. Nothing is compared before the function is called: writing and hashing a request costs more than
   * everything else that is recorded about it.
   */
  note(state: FoldedLog, sent: SentRequest, estimator: TokenEstimator): () => PrefixMeasure {
    if (this.#isOther(state)) {
      this.#last = undefined;
      this.#counts = new Map();
    }
    this.#model = state.model?.adapter;
    this.#head = state.head;
    const recorded = state.sent;
    const last = this.#last;
    const now = new Sent(sent, last);
    this.#last = now;
    this.#digest = undefined;
    return memoize(() => {
      const kept = memoize(() =>
        last === undefined ? this.#compareDigests(now.entries, recorded) : compareEntries(now.entries, last.entries),
      );
      return createMeasure(now, last, kept, estimator);
    });
  }

  /** Returns the digests of the last request that differ from the recorded ones; undefined before the first request of this process. */
  digest(state: FoldedLog): SentDigest | undefined {
    if (this.#last === undefined || this.#isOther(state)) return undefined;
    const { entries } = this.#last;
    const { tools, system, ...rest } = (this.#digest ??= this.#digestOf(entries, entries.messages.length));
    return {
      ...(tools === state.sent?.tools ? {} : { tools }),
      ...(system === state.sent?.system ? {} : { system }),
      ...rest,
    };
  }

  /** Notes that the last request was answered by an entry of the log. */
  noteAnswer(position: number): void {
    if (this.#last !== undefined) this.#counts.set(position, this.#last.count);
  }

  /**
   * Returns the first entries of a conversation in memory, with the digests of the request that the last answer among them
   * answered. They are not recorded with each answer, because hashing requests costs more than everything else that is recorded,
   * and only a copy is ever compared with them. If a segment or another model has followed, there are no digests: those requests
   * began otherwise.
   */
  entriesToCopy(entries: readonly RunEntry[]): readonly RunEntry[] {
    if (this.#last === undefined) return entries;
    const last = entries.map(({ kind }) => kind).lastIndexOf('answer');
    // An answer at the end is the one to the last request.
    const count = this.#counts.get(last) ?? (last === entries.length - 1 ? this.#last.count : undefined);
    if (count === undefined) return entries;
    const sent = this.#digestOf(this.#last.entries, count);
    return entries.map((entry, at) => (at === last ? { ...entry, sent } : entry));
  }

  /** Another model has another cache and other rules; a segment starts a new prefix. */
  #isOther({ head, model }: FoldedLog): boolean {
    return this.#head !== undefined && (this.#model !== model?.adapter || this.#head !== head);
  }

  /** Compares with digests: which part differs is known, and not which entry. */
  #compareDigests(now: Entries, recorded: SentDigest | undefined): Kept {
    if (recorded === undefined) return { entries: [], brokenAt: undefined, changedBytes: 0 };
    const digest = this.#digestOf(now, recorded.count);
    const broken = PARTS.find((part) => digest[part] !== recorded[part]);
    const whole = PARTS.slice(0, broken === undefined ? PARTS.length : PARTS.indexOf(broken));
    const entries = whole.flatMap((part) => (part === 'messages' ? now[part].slice(0, recorded.count) : now[part]));
    const changed = PARTS.filter((part) => digest[part] !== recorded[part]).flatMap((part) => now[part]);
    return { entries, brokenAt: broken, changedBytes: sumBytes(changed) };
  }

  #digestOf({ tools, system, messages }: Entries, count: number): SentDigest {
    return {
      tools: this.#digestOfPart('tools', tools),
      system: this.#digestOfPart('system', system),
      messages: shortDigest(hashEntries(messages.slice(0, count))),
      count,
    };
  }

  /** Tools and system text rarely differ from the previous request. */
  #digestOfPart(part: 'tools' | 'system', entries: readonly Entry[]): string {
    const hashes = hashEntries(entries);
    const last = this.#digests[part];
    if (last?.hashes === hashes) return last.digest;
    const digest = shortDigest(hashes);
    this.#digests[part] = { hashes, digest };
    return digest;
  }
}

/** A request beside the one before; each figure is computed when it is read. */
function createMeasure(now: Sent, last: Sent | undefined, kept: () => Kept, estimator: TokenEstimator): PrefixMeasure {
  return {
    get keptBytes() {
      return sumBytes(kept().entries);
    },
    get newBytes() {
      return sumBytes(PARTS.flatMap((part) => now.entries[part])) - this.keptBytes;
    },
    get keptTokens() {
      return kept().entries.reduce((total, entry) => total + entry.tokens(estimator), 0);
    },
    get brokenAt() {
      return kept().brokenAt;
    },
    get changedBytes() {
      return kept().changedBytes;
    },
    get changedParameters() {
      return last === undefined ? [] : findChangedKeys(last.parameters, now.parameters);
    },
  };
}

/** @param before the entry at its place in the request before: adapters write the same object for the same message */
function entryOf(value: unknown, before: Entry | undefined): Entry {
  return before !== undefined && typeof value === 'object' && value === before.value ? before : new Entry(value);
}

/** The number is telemetry: an estimator that fails, which the log has, must not end the run. */
function estimateSafely(text: string, estimator: TokenEstimator): number {
  try {
    return estimator(text);
  } catch {
    return approximateTokens(text);
  }
}

/** A value as JSON writes it; empty for one that it leaves out. */
function writeText(value: unknown): string {
  const written = (): string | undefined => JSON.stringify(value);
  return written() ?? '';
}

interface Kept {
  readonly entries: readonly Entry[];
  readonly brokenAt: string | undefined;
  readonly changedBytes: number;
}

/** The entries up to the first one that differs: entries behind it are new to a provider, equal or not. */
function compareEntries(now: Entries, before: Entries): Kept {
  const kept: Entry[] = [];
  let brokenAt: string | undefined;
  let changedBytes = 0;
  for (const part of PARTS) {
    const isFixed = part !== 'messages';
    const last = before[part];
    const count = isFixed ? Math.max(last.length, now[part].length) : last.length;
    for (let index = 0; index < count; index++) {
      const entry = now[part][index];
      const earlier = last[index];
      if (entry === undefined || earlier?.isSame(entry) !== true) {
        brokenAt ??= `${part}[${String(index)}]`;
        changedBytes += (earlier ?? entry)?.facts.bytes ?? 0;
      } else if (brokenAt === undefined) kept.push(entry);
    }
  }
  return { entries: kept, brokenAt, changedBytes };
}

function hashEntries(entries: readonly Entry[]): string {
  return entries.map(({ facts }) => facts.hash).join();
}

function shortDigest(hashes: string): string {
  return sha256(hashes).slice(0, DIGEST);
}

/**
 * Fields that limit an answer, choose among its words or only mark the request, as providers name them: the cache of a
 * provider does not depend on them.
 */
const WITHOUT_CACHE: ReadonlySet<string> = new Set(
  [
    ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'max_tool_calls', 'n'],
    ['temperature', 'top_p', 'topP', 'top_k', 'topK', 'seed', 'logit_bias', 'logprobs', 'top_logprobs', 'verbosity'],
    ['frequency_penalty', 'frequencyPenalty', 'presence_penalty', 'presencePenalty'],
    ['stop', 'stop_sequences', 'stopSequences', 'stream', 'stream_options', 'include', 'store', 'service_tier'],
    ['metadata', 'user', 'safety_identifier', 'diagnostics', 'headers', 'background', 'truncation'],
  ].flat(),
);

function findChangedKeys(before: Sent['parameters'], now: Sent['parameters']): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (key) => !WITHOUT_CACHE.has(key) && writeText(before[key]) !== writeText(now[key]),
  );
}

function sumBytes(entries: readonly Entry[]): number {
  return entries.reduce((total, { facts }) => total + facts.bytes, 0);
}
