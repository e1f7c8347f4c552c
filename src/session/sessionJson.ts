import { className } from '../common/classes.js';
import { isPlainObject } from '../common/guards.js';
import { MAX_SESSION_JSON_LEVELS, MAX_VALUES } from '../common/limits.js';
import { describeValue, didYouMean } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { walkValue } from '../common/walkValue.js';
import { SessionError } from '../error/infrastructureErrors.js';
import type { Logger } from '../interface/ports.js';
import { freezeState } from './state/freezeState.js';
import { isTableClass, tableAccess, type TableRow } from './table/KeptTable.js';
import type { PersistentList } from './table/PersistentList.js';
import type { ReadState } from './SessionState.js';
import type { SessionTables } from './table/SessionTables.js';
import type { RegisteredSlice, SliceRegistry } from './slice/SliceRegistry.js';
import type { SliceRules } from './slice/SliceRules.js';
import type { SliceKey } from './slice/SliceStore.js';
import { StatePath } from './state/StatePath.js';
import { StateReader } from './state/StateReader.js';
import { StateWriter } from './state/StateWriter.js';
import { readRows, writeRows } from './table/tableJson.js';

const FORMAT = 'toolwright/session';
const VERSION = 1;

/** A session as plain data. */
export interface SessionJson {
  readonly format: typeof FORMAT;
  /** Version of the format; increased when older copies could not read it. */
  readonly version: typeof VERSION;
  readonly id: string;
  readonly parentId: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** Values by the names of slices, oldest first, and the rows of tables; empty slices and unchanged tables are omitted. */
  readonly slices: Readonly<Record<string, readonly JsonValue[]>>;
}

/** Limits on the JSON of a session. */
export interface SessionJsonBounds {
  /** The most values; 20,000 by default. Reading more blocks the event loop noticeably. */
  readonly maxValues?: number | undefined;
}

/** The parts of a session to write. */
interface WrittenSession {
  readonly id: string;
  readonly parentId: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly registry: SliceRegistry;
  readonly rules: SliceRules;
  readonly slices: ReadonlyMap<SliceKey, PersistentList<unknown>>;
  readonly tables: SessionTables;
  /** True to also write tables that still have their initial state, for comparison. */
  readonly isComplete?: boolean | undefined;
}

/** The parts of a session read from JSON; the values are instances, frozen as their slices require. */
interface ReadSession extends ReadState {
  readonly id: string;
  readonly parentId: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * Writes a session as plain data.
 *
 * @throws SessionError E805
 */
export function writeSession({ id, parentId, tags, ...session }: WrittenSession, logs: boolean): SessionJson {
  const { registry, rules, slices, tables, isComplete = false } = session;
  const isWritten = (key: SliceKey): boolean => logs || rules.policyOf(key) === 'state';
  for (const [key, { values }] of slices)
    if (values.length > 0 && isWritten(key)) requireSliceName(key, registry, values.length);
  const writer = new StateWriter();
  const written = registry.all.flatMap((slice) => {
    const { name, type, scope } = slice;
    if (scope === 'user') return [];
    if (isTableClass(type)) {
      const rows =
        isComplete || tables.states.has(type) ? tables.of(type)[tableAccess]().rowsSince(undefined) : undefined;
      return rows === undefined ? [] : [[name, writeRows(writer, slice, rows)] as const];
    }
    const values = isWritten(type) ? (slices.get(type)?.values ?? []) : [];
    const path = StatePath.of('slices').at(name);
    const entries = values.map((value, index) => writer.writeInstance(type, value, path.at(index)));
    return entries.length === 0 ? [] : [[name, entries] as const];
  });
  return { format: FORMAT, version: VERSION, id, parentId, tags, slices: Object.fromEntries(written) };
}

/**
 * Requires that a slice has a name in JSON.
 *
 * @throws SessionError E805
 */
export function requireSliceName(key: SliceKey, registry: SliceRegistry, count: number): void {
  if (registry.ofType(key) !== undefined) return;
  const name = className(key);
  throw new SessionError(`the slice holds values (${String(count)}) and has no registered name`, {
    code: 'E805',
    place: `slice ${name}`,
    remedy: `List the class: new Session({ slices: [${name}] }), or { type: ${name}, policy: 'log' } for a log that is not written.`,
  });
}

/** Options for reading a session. */
interface SessionReading extends SessionJsonBounds {
  readonly registry: SliceRegistry;
  readonly logger: Logger | undefined;
}

/**
 * Reads a session from JSON.
 *
 * @param logger is warned of classes with properties that cannot be checked
 * @throws SessionError E806, or E801 for a value that a STATE slice must not hold
 */
export function readSession(json: unknown, { registry, logger, maxValues = MAX_VALUES }: SessionReading): ReadSession {
  if (!isPlainObject(json))
    throw createUnreadableError('', `expected the result of JSON.parse, got ${describeValue(json)}`);
  // Deeper values are refused later, with their place.
  if (walkValue(json, { values: maxValues, depth: MAX_SESSION_JSON_LEVELS }) === 'values') {
    const problem = `expected at most ${String(maxValues)} values, got more`;
    throw createUnreadableError(
      '',
      problem,
      'Raise maxValues: Session.fromJSON(json, { slices, maxValues: 100_000 }).',
    );
  }
  const { format, version, id, parentId, tags, slices } = json;
  if (format !== FORMAT) throw createUnreadableError('format', `expected "${FORMAT}", got ${describeValue(format)}`);
  if (version !== VERSION) {
    const problem = `expected ${String(VERSION)}, got ${describeValue(version)}`;
    throw createUnreadableError('version', problem, 'Read it with a copy of Toolwright that supports this version.');
  }
  if (typeof id !== 'string' || id === '')
    throw createUnreadableError('id', `expected an id, got ${describeValue(id)}`);
  if (parentId !== null && typeof parentId !== 'string') {
    throw createUnreadableError('parentId', `expected an id or null, got ${describeValue(parentId)}`);
  }
  for (const [tag, value] of Object.entries(requireObject('tags', tags))) {
    if (typeof value !== 'string')
      throw createUnreadableError(
        String(StatePath.of('tags').at(tag)),
        `expected a string, got ${describeValue(value)}`,
      );
  }
  return {
    id,
    parentId,
    tags: tags as Readonly<Record<string, string>>,
    ...readSlices(requireObject('slices', slices), registry, new StateReader(logger)),
  };
}

function readSlices(json: Readonly<Record<string, unknown>>, registry: SliceRegistry, reader: StateReader): ReadState {
  const slices = new Map<SliceKey, readonly object[]>();
  const tables = new Map<SliceKey, readonly TableRow[]>();
  for (const [name, values] of Object.entries(json)) {
    const path = StatePath.of('slices').at(name);
    const slice = findSliceByName(name, registry, path);
    if (isTableClass(slice.type)) tables.set(slice.type, readRows(reader, slice, values, path));
    else slices.set(slice.type, readValues(reader, slice, values, path));
  }
  return { slices, tables };
}

/**
 * Finds the slice of a conversation with a name in JSON.
 *
 * @throws SessionError E806; E809 for a slice of the user
 */
export function findSliceByName(name: string, registry: SliceRegistry, path: StatePath): RegisteredSlice {
  const slice = registry.ofName(name);
  if (slice?.scope === 'user') throw createScopeError(path);
  if (slice !== undefined) return slice;
  throw createUnreadableError(
    String(path),
    `no class is registered under this name.${didYouMean(name, registry.names)}`,
  );
}

/**
 * Reads the values of a slice as instances, frozen as the slice requires.
 *
 * @throws SessionError E806, E801
 */
export function readValues(
  reader: StateReader,
  slice: RegisteredSlice,
  values: unknown,
  path: StatePath,
): readonly object[] {
  if (!Array.isArray(values))
    throw createUnreadableError(String(path), `expected an array, got ${describeValue(values)}`);
  return (values as readonly unknown[]).map((value, index) => {
    const at = path.at(index);
    return freezeState(reader.readInstance(slice.type, value, at), String(at), slice.policy === 'state');
  });
}

/**
 * Requires a plain object.
 *
 * @throws SessionError E806
 */
export function requireObject(place: string, value: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) throw createUnreadableError(place, `expected an object, got ${describeValue(value)}`);
  return value;
}

/** Values of a slice of the user must not come back from a conversation: the user may have had them forgotten since. */
function createScopeError(path: StatePath): SessionError {
  const problem = "the values were written for one conversation, and the slice has the scope 'user' now";
  return new SessionError(problem, { code: 'E809', place: String(path) });
}

function createUnreadableError(place: string, problem: string, remedy?: string): SessionError {
  return new SessionError(problem, { code: 'E806', place: place === '' ? undefined : place, remedy });
}
