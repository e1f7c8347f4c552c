import { className, isThenable } from '../../common/classes.js';
import { MAX_ITERATED_ITEMS } from '../../common/limits.js';

/** A kind of value that is replaced when written. `tag` is the type name from `Object.prototype.toString`. */
interface Row {
  readonly when: (value: object, tag: string) => boolean;
  readonly form: (value: never, tag: string) => unknown;
}

const tagged =
  (...tags: readonly string[]) =>
  (_value: object, tag: string): boolean =>
    tags.includes(tag);

const listed = (items: Iterable<unknown>): readonly unknown[] => [...items];
const mark = (_value: object, tag: string): string => `[${tag}]`;
const bytes = (value: object, count: number): string => `[${className(value.constructor)}: ${String(count)} bytes]`;

/** The first matching row applies (docs/contract.md, 5.4). */
const rows: readonly Row[] = [
  {
    when: (value, tag) => tag === 'Date' || value instanceof Date,
    form: (date: Date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString()),
  },
  {
    when: (value, tag) => tag === 'Error' || value instanceof Error,
    form: ({ name, message }: Error) => ({ name, message }),
  },
  { when: (value, tag) => tag === 'Map' || value instanceof Map, form: listed },
  { when: (value, tag) => tag === 'Set' || value instanceof Set, form: listed },
  { when: (value) => ArrayBuffer.isView(value), form: (view: ArrayBufferView) => bytes(view, view.byteLength) },
  {
    when: tagged('ArrayBuffer', 'SharedArrayBuffer'),
    form: (buffer: ArrayBuffer) => bytes(buffer, buffer.byteLength),
  },
  { when: tagged('Blob', 'File'), form: (blob: Blob) => bytes(blob, blob.size) },
  { when: tagged('Headers', 'URLSearchParams', 'FormData'), form: listed },
  { when: tagged('RegExp'), form: (pattern: RegExp) => pattern.toString() },
  { when: tagged('String', 'Number', 'Boolean', 'BigInt', 'Symbol'), form: (boxed: object) => boxed.valueOf() },
];

/** Kinds of incomplete values, with the names that messages use. */
const unfinished: readonly (readonly [string, (value: object) => boolean])[] = [
  ['promise', isThenable],
  ['async iterable', (value) => hasMethod(value, Symbol.asyncIterator) || hasMethod(value, 'getReader')],
  ['iterator', (value) => hasMethod(value, 'next') && hasMethod(value, Symbol.iterator)],
  ['Response', (value) => hasMethod(value, 'arrayBuffer') && 'body' in value],
];

/** Rows for instances without properties and without `toJSON`, which would be written as `{}`. */
const empty: readonly Row[] = [
  { when: (value) => hasMethod(value, Symbol.iterator), form: takeBounded },
  { when: (_value, tag) => tag !== 'Object', form: mark },
];

export interface WrittenForm {
  readonly form: unknown;
}

/** Returns the replacement for a built-in object; undefined for objects that are written by their properties. */
export function findBuiltInForm(value: object): WrittenForm | undefined {
  return findForm(rows, value);
}

/** Names the kind of an object that gets its data only later, such as a promise or a stream; returns undefined for all others. */
export function findUnfinishedKind(value: object): string | undefined {
  return unfinished.find(([, is]) => is(value))?.[0];
}

/** Returns the replacement for an object without properties; undefined if it really is an empty object. */
export function findEmptyForm(value: object): WrittenForm | undefined {
  return findForm(empty, value);
}

function findForm(table: readonly Row[], value: object): WrittenForm | undefined {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const row = table.find(({ when }) => when(value, tag));
  return row === undefined ? undefined : { form: row.form(value as never, tag) };
}

function hasMethod(value: object, method: PropertyKey): boolean {
  return typeof (value as Readonly<Record<PropertyKey, unknown>>)[method] === 'function';
}

function takeBounded(value: Iterable<unknown>): readonly unknown[] {
  const items: unknown[] = [];
  for (const item of value) {
    if (items.length === MAX_ITERATED_ITEMS) return [...items, '… more items'];
    items.push(item);
  }
  return items;
}
