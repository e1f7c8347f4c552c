import { describeValue, didYouMean } from '../common/text.js';
import type { BundleEntry, BundleHead } from './BundleEntry.js';
import { unreadable } from './bundleFaults.js';

type Kind = 'text' | 'number' | 'list' | 'object' | 'any';
type Fields = Readonly<Record<string, Kind>>;

/** The required fields of each kind of entry; others are optional, and shown only if they fit. */
const FIELDS: Readonly<Record<BundleEntry['kind'], Fields>> = {
  rendering: { rendering: 'text', prompt: 'text', text: 'text', sections: 'list', tools: 'list' },
  run: { run: 'text', prompt: 'text', adapter: 'text', session: 'text' },
  request: { run: 'text', turn: 'number', count: 'number' },
  answer: { of: 'number', run: 'text', turn: 'number', durationMs: 'number' },
  call: { run: 'text', session: 'text', turn: 'number', callId: 'text', name: 'text', arguments: 'any' },
  attempt: { of: 'number', attempt: 'number' },
  resources: { of: 'number', attempt: 'number', resources: 'list' },
  program: { attempt: 'number', code: 'text', tools: 'list' },
  outcome: { of: 'number', outcome: 'text', text: 'text', durationMs: 'number' },
  event: { type: 'text', session: 'text', fields: 'object' },
  state: { session: 'text', of: 'number' },
  end: { run: 'text', how: 'text', durationMs: 'number', messages: 'list' },
};

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  list: Array.isArray,
  object: isRecord,
  any: (value) => value !== undefined,
};

/** Checks the first line of a bundle. @throws ToolwrightError E750 */
export function checkHead(value: unknown): BundleHead {
  const { kind, format, version, createdAt, versions } = isRecord(value) ? value : {};
  if (kind !== 'bundle' || format !== 'toolwright/bundle')
    throw unreadable(1, 'expected the head of a bundle: {"kind":"bundle","format":"toolwright/bundle","version":1,…}');
  if (version !== 1) throw unreadable(1, `expected version 1, got ${describeValue(version)}`);
  if (typeof createdAt !== 'number' || !isRecord(versions) || !Object.values(versions).every(IS.text))
    throw unreadable(1, 'expected createdAt as a number, and versions as texts');
  return value as BundleHead;
}

/**
 * Checks another line of a bundle.
 *
 * @param after the `seq` of the entry before; -1 for the first
 * @throws ToolwrightError E750
 */
export function checkEntry(value: unknown, line: number, after: number): BundleEntry {
  if (!isRecord(value)) throw unreadable(line, `expected an entry, got ${describeValue(value)}`);
  const { kind, seq, time } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind)) {
    const hint = typeof kind === 'string' ? didYouMean(kind, Object.keys(FIELDS)) : '';
    throw unreadable(line, `expected a kind of entry, got ${describeValue(kind)}.${hint}`);
  }
  if (typeof time !== 'number') throw unreadable(line, `expected time as a number, got ${describeValue(time)}`);
  if (!Number.isSafeInteger(seq) || (seq as number) <= after)
    throw unreadable(line, `expected seq as a number greater than ${String(after)}, got ${describeValue(seq)}`);
  for (const [field, type] of Object.entries(FIELDS[kind as BundleEntry['kind']]))
    if (!Object.hasOwn(value, field) || !IS[type](value[field]))
      throw unreadable(line, `expected ${kind}.${field} as ${type}, got ${describeValue(value[field])}`);
  return value as unknown as BundleEntry;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
