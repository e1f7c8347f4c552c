import type { TableRow } from '../../session/table/KeptTable.js';
import type { SortedKey } from '../SortedMap.js';
import type { TableState } from './TableReads.js';

/** Returns the records with a record added or replaced, or removed if the record is undefined. */
export function putRow<K extends SortedKey, V>(
  { rows, size, order }: TableState<K, V>,
  key: K,
  record: V | undefined,
): TableState<K, V> {
  const had = rows.get(key) === undefined ? 0 : 1;
  return record === undefined
    ? { rows: rows.without(key), size: size - had, order: order?.without(key) }
    : { rows: rows.with(key, record), size: size + 1 - had, order: order?.with(key) };
}

/** Returns the rows that lead from one state to the other, in the order in which they have to be written. */
export function listRowsBetween<K extends SortedKey, V>(older: TableState<K, V>, newer: TableState<K, V>): TableRow[] {
  const changed = new Set<K>(newer.rows.differences(older.rows));
  const { rows, order } = newer;
  if (order === undefined || older.order === undefined) return [...changed].map((key) => createRow(key, rows.get(key)));
  for (const key of order.differences(older.order)) changed.add(key);
  const placeOf = (key: K): number => order.placeOf(key) ?? -1;
  // A record that was deleted and added again is the last one now, so it has to be removed first.
  const gone = [...changed].filter((key) => {
    const place = older.order?.placeOf(key);
    return place !== undefined && place !== order.placeOf(key);
  });
  const there = [...changed].filter((key) => rows.get(key) !== undefined);
  return [
    ...gone.map((key) => createRow(key, undefined)),
    ...there.sort((a, b) => placeOf(a) - placeOf(b)).map((key) => createRow(key, rows.get(key))),
  ];
}

function createRow(key: SortedKey, record: unknown): TableRow {
  return record === undefined ? [key] : [key, record];
}
