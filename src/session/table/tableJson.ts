import { className } from '../../common/classes.js';
import { isPlainObject, isRecord } from '../../common/guards.js';
import type { Constructor, JsonValue } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import { freezeState } from '../state/freezeState.js';
import type { TableRow } from './KeptTable.js';
import type { RegisteredSlice } from '../slice/SliceRegistry.js';
import { StatePath } from '../state/StatePath.js';
import { createMisfitError } from '../state/stateValues.js';
import type { StateReader } from '../state/StateReader.js';
import type { StateWriter } from '../state/StateWriter.js';

export function writeRows(
  writer: StateWriter,
  slice: RegisteredSlice,
  rows: readonly TableRow[],
): readonly JsonValue[] {
  const path = StatePath.of('slices').at(slice.name);
  return rows.map((row, index) => writeRow(writer, slice, row, path.at(index)));
}

/**
 * Writes a row as JSON: `[key, record]`, or `[key]` for a deleted record.
 *
 * @throws SessionError E805 for a record or key that could not be read back unchanged
 */
export function writeRow(
  writer: StateWriter,
  { type, records }: Pick<RegisteredSlice, 'type' | 'records'>,
  [key, record]: TableRow,
  path: StatePath,
): JsonValue {
  if (typeof key === 'number' && !Number.isFinite(key))
    throw new SessionError(`the key ${String(key)} cannot be written as JSON`, { code: 'E805', place: String(path) });
  if (record === undefined) return [key];
  const at = path.at(String(key));
  if (records !== undefined) return [key, writer.writeInstance(records, record, at)];
  if (isRecord(record) && !isPlainObject(record)) throw createUnnamedClassError(type, record, at);
  return [key, writer.writePlain(record, at)];
}

/**
 * Reads rows that `writeRow` wrote; records become instances of their class, and are frozen.
 *
 * @throws SessionError E806 for anything else, E801
 */
export function readRows(
  reader: StateReader,
  { records }: RegisteredSlice,
  rows: unknown,
  path: StatePath,
): readonly TableRow[] {
  if (!Array.isArray(rows)) throw createMisfitError(path, 'an array', rows);
  return (rows as readonly unknown[]).map((row, index): TableRow => {
    const place = path.at(index);
    if (!Array.isArray(row) || row.length < 1 || row.length > 2) throw createMisfitError(place, '[key, record]', row);
    const [key, record] = row as readonly unknown[];
    if (typeof key !== 'string' && typeof key !== 'number')
      throw createMisfitError(place, 'a text or a number as the key', key);
    if (row.length === 1) return [key];
    const at = path.at(String(key));
    const read = records === undefined ? reader.readPlain(record, at) : reader.readInstance(records, record, at);
    return [key, freezeState(read, String(at), true)];
  });
}

function createUnnamedClassError(table: Constructor, record: object, path: StatePath): SessionError {
  const name = className(record.constructor);
  return new SessionError(`expected plain data, got an instance of ${name}`, {
    code: 'E805',
    place: String(path),
    remedy: `Name the class of the records: slices: [{ type: ${className(table)}, records: ${name} }].`,
  });
}
