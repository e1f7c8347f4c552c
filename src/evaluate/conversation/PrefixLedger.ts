import { sha256 } from '../../common/builtins.js';
import type { SentRequest } from '../../interface/ModelAdapter.js';
import type { PrefixMeasure } from '../../interface/PrefixMeasure.js';
import type { SentDigest } from '../../interface/RunStore.js';
import { approximateTokens } from '../../limit/approximateTokens.js';
import type { TokenEstimator } from '../../interface/TokenEstimator.js';

/** The parts of a request, in the order in which providers compare them. */
const PARTS = ['tools', 'system', 'messages'] as const;

/** The part of a request that an entry belongs to. */
export type PrefixPart = (typeof PARTS)[number];

interface Entry {
  readonly hash: string;
  readonly bytes: number;
  readonly tokens: number;
}

type Entries = Readonly<Record<PrefixPart, readonly Entry[]>>;

interface Sent {
  readonly entries: Entries;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Compares each request of a conversation with the one before (docs/contract.md, 17). */
export class PrefixLedger {
  /** Adapters write the same object for the same message. */
  readonly #known = new WeakMap<object, Entry>();
  #last: Sent | undefined;
  #digest: SentDigest | undefined;

  /** Compares a request with the last one; the first of a process with the digests of the last one before. */
  measure(sent: SentRequest, estimator: TokenEstimator, recorded: SentDigest | undefined): PrefixMeasure {
    const entries: Entries = {
      tools: sent.tools.map((entry) => this.#entry(entry, estimator)),
      system: sent.system.map((entry) => this.#entry(entry, estimator)),
      messages: sent.messages.map((entry) => this.#entry(entry, estimator)),
    };
    const parameters = Object.fromEntries(
      Object.entries(sent.parameters).map(([name, value]) => [name, textOf(value)]),
    );
    const last = this.#last;
    const kept = last === undefined ? keptSince(entries, recorded) : keptOf(entries, last.entries);
    this.#last = { entries, parameters };
    this.#digest = undefined;
    const all = PARTS.flatMap((part) => entries[part]);
    const same = kept.entries;
    return {
      keptBytes: sum(same, 'bytes'),
      newBytes: sum(all, 'bytes') - sum(same, 'bytes'),
      keptTokens: sum(same, 'tokens'),
      brokenAt: kept.brokenAt,
      changedBytes: kept.changedBytes,
      changedParameters: last === undefined ? [] : changedKeys(last.parameters, parameters),
    };
  }

  /** Digests of the last request; undefined before the first. */
  get digest(): SentDigest | undefined {
    if (this.#last === undefined) return undefined;
    return (this.#digest ??= digestOf(this.#last.entries, this.#last.entries.messages.length));
  }

  #entry(value: unknown, estimator: TokenEstimator): Entry {
    const known = typeof value === 'object' && value !== null ? this.#known.get(value) : undefined;
    if (known !== undefined) return known;
    const text = textOf(value);
    const entry = { hash: sha256(text), bytes: Buffer.byteLength(text), tokens: estimate(text, estimator) };
    if (typeof value === 'object' && value !== null) this.#known.set(value, entry);
    return entry;
  }
}

/** The number is telemetry: an estimator that fails, which the log has, must not end the run. */
function estimate(text: string, estimator: TokenEstimator): number {
  try {
    return estimator(text);
  } catch {
    return approximateTokens(text);
  }
}

/** A value as JSON writes it; empty for one that it leaves out. */
function textOf(value: unknown): string {
  const written = (): string | undefined => JSON.stringify(value);
  return written() ?? '';
}

interface Kept {
  readonly entries: readonly Entry[];
  readonly brokenAt: string | undefined;
  readonly changedBytes: number;
}

/** The entries up to the first one that differs: what follows it is new to a provider, equal or not. */
function keptOf(now: Entries, before: Entries): Kept {
  const kept: Entry[] = [];
  let brokenAt: string | undefined;
  let changedBytes = 0;
  for (const part of PARTS) {
    const isFixed = part !== 'messages';
    const last = before[part];
    const count = isFixed ? Math.max(last.length, now[part].length) : last.length;
    for (let index = 0; index < count; index++) {
      const entry = now[part][index];
      const isSame = entry !== undefined && entry.hash === last[index]?.hash;
      if (!isSame) {
        brokenAt ??= `${part}[${String(index)}]`;
        changedBytes += (last[index] ?? entry)?.bytes ?? 0;
      } else if (brokenAt === undefined) kept.push(entry);
    }
  }
  return { entries: kept, brokenAt, changedBytes };
}

/** Compares with digests: which part differs is known, and not which entry. */
function keptSince(now: Entries, recorded: SentDigest | undefined): Kept {
  if (recorded === undefined) return { entries: [], brokenAt: undefined, changedBytes: 0 };
  const digest = digestOf(now, recorded.count);
  const broken = PARTS.find((part) => digest[part] !== recorded[part]);
  const whole = PARTS.slice(0, broken === undefined ? PARTS.length : PARTS.indexOf(broken));
  const entries = whole.flatMap((part) => (part === 'messages' ? now[part].slice(0, recorded.count) : now[part]));
  const changed = PARTS.filter((part) => digest[part] !== recorded[part]).flatMap((part) => now[part]);
  return { entries, brokenAt: broken, changedBytes: sum(changed, 'bytes') };
}

function digestOf(entries: Entries, count: number): SentDigest {
  const digest = (list: readonly Entry[]): string => sha256(list.map(({ hash }) => hash).join()).slice(0, 32);
  const { tools, system, messages } = entries;
  return { tools: digest(tools), system: digest(system), messages: digest(messages.slice(0, count)), count };
}

function changedKeys(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((key) => before[key] !== now[key]);
}

function sum(entries: readonly Entry[], field: 'bytes' | 'tokens'): number {
  return entries.reduce((total, entry) => total + entry[field], 0);
}
