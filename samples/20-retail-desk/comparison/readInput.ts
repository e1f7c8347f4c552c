import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableNames, type RetailData, type TableName } from '../store/rows.js';
import { InputError } from './InputError.js';

/** One call of a task, and its expected result. */
export interface ExpectedCall {
  readonly name: string;
  readonly args: unknown;
  readonly error: boolean;
  /** Hash of the result; absent for calls that fail and for tools that answer in prose. */
  readonly sha?: string | undefined;
}

/** Calls in order, and the hash of every record that differs afterwards. */
export interface RetailTask {
  readonly label: string;
  /** The customer's wish, for an agent; empty if the file has none. */
  readonly instruction: string;
  readonly calls: readonly ExpectedCall[];
  readonly changed: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads `orders.json`, `products.json` and `users.json`; their contents are trusted to have the rows' shape. */
export function readData(folder: string): RetailData {
  const read = (table: TableName): Fields => {
    const path = join(folder, `${table}.json`);
    return fieldsOf(parse(readText(path, `table of ${table}`), path), path);
  };
  return { orders: read('orders'), products: read('products'), users: read('users') } as unknown as RetailData;
}

/** Reads one task for each line that is not empty. */
export function readTasks(path: string): readonly RetailTask[] {
  const lines = readText(path, 'task file').split('\n');
  const tasks = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [taskOf(line, `${path}:${index + 1}`, index + 1)],
  );
  if (tasks.length === 0) throw new InputError(`${path} holds no task.`);
  return tasks;
}

function taskOf(line: string, place: string, number: number): RetailTask {
  const task = fieldsOf(parse(line, place), place);
  const { calls, instruction } = task;
  if (!Array.isArray(calls)) throw new InputError(`${place}: "calls" must be a list.`);
  return {
    label: labelOf(task, number),
    instruction: typeof instruction === 'string' ? instruction : '',
    calls: calls.map((call: unknown, index) => callOf(call, `${place}, call ${index + 1}`)),
    changed: readChanged(task['changed'] ?? {}, place),
  };
}

function labelOf({ set, i }: Fields, number: number): string {
  return typeof set === 'string' && typeof i === 'number' ? `${set} ${i}` : `line ${number}`;
}

function callOf(value: unknown, place: string): ExpectedCall {
  const { name, args, error, sha } = fieldsOf(value, place);
  if (typeof name !== 'string') throw new InputError(`${place}: "name" must be a string.`);
  if (sha !== undefined && sha !== null && typeof sha !== 'string') {
    throw new InputError(`${place}: "sha" must be a string.`);
  }
  return { name, args: args ?? {}, error: error === true, sha: sha ?? undefined };
}

function readChanged(value: unknown, place: string): RetailTask['changed'] {
  const tables = fieldsOf(value, `${place}, changed`);
  for (const [table, hashes] of Object.entries(tables)) {
    if (!tableNames.includes(table as TableName)) throw new InputError(`${place}: there is no table "${table}".`);
    for (const [id, sha] of Object.entries(fieldsOf(hashes, `${place}, changed ${table}`))) {
      if (typeof sha !== 'string') throw new InputError(`${place}: the hash of ${table} ${id} must be a string.`);
    }
  }
  return tables;
}

function fieldsOf(value: unknown, place: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(`${place} must hold a JSON object.`);
  }
  return value as Fields;
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : String(error);
    throw new InputError(`The ${what} ${path} cannot be read: ${reason}.`);
  }
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InputError(`${place} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
