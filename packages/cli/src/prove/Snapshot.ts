import { isRecord, sha256 } from 'toolwright/internal/light';
import { MAX_SNAPSHOT_DEPTH, MAX_SNAPSHOT_VALUES, MAX_TRACE_CHARS, MAX_TRACE_LINES } from '../limits.js';

/** The leaves of a value by their paths. */
export type Snapshot = ReadonlyMap<string, string>;

/**
 * Takes a snapshot of values by name: plain data, maps, sets, tables and the own fields of instances. Getters and functions are skipped,
 * because reading them may run code, and `#private` fields cannot be read.
 *
 * @param skipped objects that another snapshot shows
 */
export function takeSnapshot(values: Readonly<Record<string, unknown>>, skipped: readonly object[] = []): Snapshot {
  const found = new Map<string, string>();
  const seen = new WeakSet<object>(skipped);
  for (const [name, value] of Object.entries(values)) addValue(value, name, 0, { found, seen });
  return found;
}

interface Walk {
  readonly found: Map<string, string>;
  readonly seen: WeakSet<object>;
}

function addValue(value: unknown, path: string, depth: number, walk: Walk): void {
  const { found, seen } = walk;
  if (typeof value === 'function' || found.size >= MAX_SNAPSHOT_VALUES) return;
  if (typeof value !== 'object' || value === null) found.set(path, writeLeaf(value));
  else if (value instanceof Date) found.set(path, `date ${String(value.getTime())}`);
  else if (ArrayBuffer.isView(value)) found.set(path, hashBytes(value));
  else if (!seen.has(value) && depth < MAX_SNAPSHOT_DEPTH) {
    seen.add(value);
    const entries = listEntries(value);
    // An empty list that was filled, or a list that was emptied, is a change as well.
    if (entries.length === 0) found.set(path, Array.isArray(value) ? '[]' : '{}');
    for (const [name, entry] of entries) addValue(entry, `${path}${name}`, depth + 1, walk);
  }
}

function listEntries(value: object): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => [`[${String(index)}]`, entry] as const);
  if (value instanceof Set) return [...value].map((entry: unknown, index) => [`[${String(index)}]`, entry] as const);
  const { entries } = value as { readonly entries?: unknown };
  // Maps and Toolwright's tables.
  if (Symbol.iterator in value && typeof entries === 'function')
    return [...(value as Iterable<readonly [unknown, unknown]>)].map(([key, entry]) => [`[${writeKey(key)}]`, entry]);
  return Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([name, descriptor]) =>
    'value' in descriptor ? [[`.${name}`, descriptor.value as unknown] as const] : [],
  );
}

function writeKey(key: unknown): string {
  return typeof key === 'string' || typeof key === 'number' ? JSON.stringify(key) : typeof key;
}

function writeLeaf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'bigint' ? `${String(value)}n` : String(value);
}

function hashBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return `${String(byteLength)} bytes ${sha256(bytes.toString('base64')).slice(0, 12)}`;
}

/** A leaf that differs between two snapshots. */
export interface LeafChange {
  readonly path: string;
  /** Undefined if it did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Lists the leaves that differ. */
export function compareSnapshots(before: Snapshot, after: Snapshot): readonly LeafChange[] {
  const changes: LeafChange[] = [];
  for (const [path, value] of after)
    if (before.get(path) !== value) changes.push({ path, before: before.get(path), after: value });
  for (const [path, value] of before) if (!after.has(path)) changes.push({ path, before: value, after: undefined });
  return changes;
}

/** Writes changes as lines, the first ones only. */
export function writeTrace(changes: readonly LeafChange[]): readonly string[] {
  // The first entry of a list also replaces the mark of an empty one, which tells nothing new.
  const told = changes.filter(({ before, after }) => !isEmpty(before ?? after));
  const shown = told.length === 0 ? changes : told;
  const lines = shown.slice(0, MAX_TRACE_LINES).map(({ path, before, after }) => {
    const [was, is] = [before, after].map((value) => (value === undefined ? 'nothing' : cutText(value)));
    return `${cutText(path)}: ${was ?? ''} → ${is ?? ''}`;
  });
  const more = shown.length - lines.length;
  return more > 0 ? [...lines, `and ${String(more)} more`] : lines;
}

/** Checks for the leaf of a list or an object without entries. */
export function isEmpty(leaf: string | undefined): boolean {
  return leaf === '[]' || leaf === '{}';
}

function cutText(text: string): string {
  return text.length > MAX_TRACE_CHARS ? `${text.slice(0, MAX_TRACE_CHARS)}…` : text;
}

/** Returns the value as a record, or under a single name if it is another value. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : { value };
}
