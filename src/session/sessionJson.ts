import { className } from '../common/classes.js';
import { isPlainObject } from '../common/guards.js';
import { MAX_SESSION_JSON_LEVELS, MAX_VALUES } from '../common/limits.js';
import { didYouMean } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { walkValue } from '../common/walkValue.js';
import { SessionError } from '../error/infrastructureErrors.js';
import type { Logger } from '../interface/ports.js';
import { freezeState } from './state/freezeState.js';
import { isTableClass, tableAccess, type TableRow } from './table/KeptTable.js';
import type { ReadState, SessionState } from './SessionState.js';
import type { RegisteredSlice, SliceRegistry, SliceScope } from './slice/SliceRegistry.js';
import type { SliceKey } from './slice/SliceStore.js';
import { StatePath } from './state/StatePath.js';
import { createMisfitError, createUnreadableError } from './state/stateValues.js';
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

/** The parts of a session that are written beside its slices. */
type SessionIdentity = Pick<SessionJson, 'id' | 'parentId' | 'tags'>;

interface WrittenSession extends SessionIdentity {
  readonly registry: SliceRegistry;
  readonly base: SessionState;
}

/** The parts of a session read from JSON; the values are instances, frozen as their slices require. */
type ReadSession = SessionIdentity & ReadState;

/**
 * Writes a session as plain data.
 *
 * @param isComplete true to also write tables that still have their initial state, for comparison
 * @throws SessionError E805
 */
export function writeSession(session: WrittenSession, logs: boolean, isComplete = false): SessionJson {
  const { id, parentId, tags, registry, base } = session;
  const { rules, slices, tables } = base;
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

/** Requires that a slice has a name in JSON. @throws SessionError E805 */
export function requireSliceName(key: SliceKey, registry: SliceRegistry, count: number): void {
  if (registry.ofType(key) !== undefined) return;
  const name = className(key);
  throw new SessionError(`the slice holds values (${String(count)}) and has no registered name`, {
    code: 'E805',
    place: `slice ${name}`,
    remedy: `List the class: new Session({ slices: [${name}] }), or { type: ${name}, policy: 'log' } for a log that is not written.`,
  });
}

/** The slices that values are read for. */
interface SliceReading {
  readonly registry: SliceRegistry;
  /** Is warned of classes with properties that cannot be checked. */
  readonly logger: Logger | undefined;
}

/** Reads a session from JSON. @throws SessionError E806, or E801 for a value that a STATE slice must not hold */
export function readSession(json: unknown, reading: SliceReading, maxValues = MAX_VALUES): ReadSession {
  if (!isPlainObject(json)) throw createMisfitError('', 'the result of JSON.parse', json);
  // Deeper values are refused later, with their place.
  if (walkValue(json, { values: maxValues, depth: MAX_SESSION_JSON_LEVELS }) === 'values') {
    const remedy = 'Raise maxValues: Session.fromJSON(json, { slices, maxValues: 100_000 }).';
    throw createUnreadableError('', `expected at most ${String(maxValues)} values, got more`, remedy);
  }
  const { format, version, id, parentId, tags, slices } = json;
  if (format !== FORMAT) throw createMisfitError('format', `"${FORMAT}"`, format);
  if (version !== VERSION) {
    const remedy = 'Read it with a copy of Toolwright that supports this version.';
    throw createMisfitError('version', String(VERSION), version, remedy);
  }
  if (typeof id !== 'string' || id === '') throw createMisfitError('id', 'an id', id);
  if (parentId !== null && typeof parentId !== 'string') throw createMisfitError('parentId', 'an id or null', parentId);
  if (!isPlainObject(tags)) throw createMisfitError('tags', 'an object', tags);
  for (const [tag, value] of Object.entries(tags))
    if (typeof value !== 'string') throw createMisfitError(StatePath.of('tags').at(tag), 'a string', value);
  const state = readSlices('slices', slices, reading);
  return { id, parentId, tags: tags as Readonly<Record<string, string>>, ...state };
}

/**
 * Reads the values of slices and the rows of tables, by the names of slices.
 *
 * @param scope other prompts of a user may have slices that this session has not: with `user`, all but the user's are skipped
 * @throws SessionError E806, E801; E809 for a slice of the user, unless the scope is `user`
 */
export function readSlices(
  place: string,
  json: unknown,
  { registry, logger }: SliceReading,
  scope: SliceScope = 'conversation',
): ReadState {
  if (!isPlainObject(json)) throw createMisfitError(place, 'an object', json);
  const reader = new StateReader(logger);
  const slices = new Map<SliceKey, readonly object[]>();
  const tables = new Map<SliceKey, readonly TableRow[]>();
  for (const [name, values] of Object.entries(json)) {
    const path = StatePath.of(place).at(name);
    const slice = registry.ofName(name);
    if (scope === 'user' && slice?.scope !== 'user') continue;
    if (slice === undefined) {
      const hint = didYouMean(name, registry.names);
      throw createUnreadableError(path, `no class is registered under this name.${hint}`);
    }
    if (slice.scope !== scope) throw createScopeError(path);
    if (isTableClass(slice.type)) tables.set(slice.type, readRows(reader, slice, values, path));
    else slices.set(slice.type, readValues(reader, slice, values, path));
  }
  return { slices, tables };
}

function readValues(reader: StateReader, slice: RegisteredSlice, values: unknown, path: StatePath): readonly object[] {
  if (!Array.isArray(values)) throw createMisfitError(path, 'an array', values);
  return (values as readonly unknown[]).map((value, index) => {
    const at = path.at(index);
    return freezeState(reader.readInstance(slice.type, value, at), String(at), slice.policy === 'state');
  });
}

/** Values of a slice of the user must not come back from a conversation: the user may have had them forgotten since. */
function createScopeError(path: StatePath): SessionError {
  const problem = "the values were written for one conversation, and the slice has the scope 'user' now";
  return new SessionError(problem, { code: 'E809', place: String(path) });
}
