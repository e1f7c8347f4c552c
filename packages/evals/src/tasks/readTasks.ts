import { readFileSync } from 'node:fs';
import { canonicalJson } from 'toolwright/internal';
import { crypto, describeValue, didYouMean, isRecord, isText, messageOf, quote } from 'toolwright/internal/light';
import { EvalError } from '../EvalError.js';
import { readLines } from '../readLines.js';
import type { EvalTask, TaskSource } from './EvalTask.js';

/** A task and its place among the tasks. */
export interface PlacedTask<I = unknown> {
  readonly task: EvalTask<I>;
  /** From 0. */
  readonly index: number;
  /** The line of its file, or its place in the list. */
  readonly place: string;
}

/** Facts about all tasks. */
export interface TaskSurvey {
  readonly count: number;
  /** SHA-256 of the tasks in their order. */
  readonly hash: string;
}

const FIELDS = ['id', 'group', 'input', 'expected', 'metadata'];
const EXPECTED_FIELDS = ['calls', 'text', 'output', 'state', 'stateHash'];

/** Reads and checks the tasks one by one. @throws EvalError E990, E992 */
export async function* readTasks<I>(source: TaskSource<I>): AsyncGenerator<PlacedTask<I>, void> {
  let index = 0;
  if (typeof source === 'string') {
    for await (const { text, number } of readFileLines(source)) {
      if (text?.trim() === '') continue;
      const place = `${source}:${String(number)}`;
      yield { task: parseTask(text, place) as EvalTask<I>, index: index++, place };
    }
    return;
  }
  const tasks = typeof source === 'function' ? source() : source;
  for await (const task of tasks) {
    const place = `tasks[${String(index)}]`;
    requireTask(task, place);
    yield { task, index: index++, place };
  }
}

/** Reads a list or a file at once, for test runners that must know their tests. @throws EvalError E990, E991, E992 */
export function readTasksAtOnce<I>(source: TaskSource<I>): readonly EvalTask<I>[] {
  if (typeof source === 'function') {
    const remedy = 'Give a list of tasks or a JSONL file to an eval that a test runner runs task by task.';
    throw new EvalError('a test runner has to know the tasks at once', { code: 'E992', place: 'tasks', remedy });
  }
  const tasks = typeof source === 'string' ? readFileAtOnce(source) : source;
  const places = new Map<string, string>();
  return tasks.map((task, index) => {
    const place = `tasks[${String(index)}]`;
    requireTask(task, place);
    requireNewId(places, task.id, place);
    return task as EvalTask<I>;
  });
}

/** Counts the tasks and hashes them. @throws EvalError E990, E991, E992 */
export async function surveyTasks(source: TaskSource): Promise<TaskSurvey> {
  const hash = crypto().createHash('sha256');
  const places = new Map<string, string>();
  let count = 0;
  for await (const { task, place } of readTasks(source)) {
    requireNewId(places, task.id, place);
    hash.update(`${canonicalJson(task, () => undefined)}\n`);
    count++;
  }
  const place = typeof source === 'string' ? source : 'tasks';
  if (count === 0) throw new EvalError('there are no tasks', { code: 'E992', place });
  return { count, hash: hash.digest('hex') };
}

async function* readFileLines(file: string): ReturnType<typeof readLines> {
  try {
    yield* readLines(file);
  } catch (cause) {
    if (cause instanceof EvalError) throw cause;
    throw createFileError(file, cause);
  }
}

function readFileAtOnce(file: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw createFileError(file, cause);
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    return line.trim() === '' ? [] : [parseTask(line, `${file}:${String(index + 1)}`)];
  });
}

function createFileError(file: string, cause: unknown): EvalError {
  return new EvalError(`the file cannot be read: ${messageOf(cause)}`, { code: 'E992', place: file, cause });
}

/** @throws EvalError E990 */
function parseTask(text: string | undefined, place: string): EvalTask {
  if (text === undefined) throw createTaskError('the line is too long, or not UTF-8', place);
  let parsed: unknown;
  try {
    // A byte order mark may be before the first line.
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw createTaskError(`the line is not JSON: ${messageOf(cause)}`, place, cause);
  }
  requireTask(parsed, place);
  return parsed;
}

/** @throws EvalError E990 */
function requireTask(task: unknown, place: string): asserts task is EvalTask {
  if (!isRecord(task)) throw createTaskError(`expected a task, got ${describeValue(task)}`, place);
  refuseUnknownFields(task, FIELDS, place);
  const { id, group, expected, metadata } = task;
  if (!isText(id) || id.trim() === '') throw createTaskError(`id: expected a text, got ${describeValue(id)}`, place);
  if (!('input' in task)) throw createTaskError('input is missing', place);
  if (group !== undefined && !isText(group))
    throw createTaskError(`group: expected a text, got ${describeValue(group)}`, place);
  if (metadata !== undefined && !isRecord(metadata))
    throw createTaskError(`metadata: expected an object, got ${describeValue(metadata)}`, place);
  if (expected !== undefined) requireExpectation(expected, place);
  try {
    canonicalJson(task, () => undefined);
  } catch (cause) {
    throw createTaskError(`the task cannot be written as JSON: ${messageOf(cause)}`, place, cause);
  }
}

function requireExpectation(expected: unknown, place: string): void {
  if (!isRecord(expected))
    throw createTaskError(`expected: an object is needed, got ${describeValue(expected)}`, place);
  refuseUnknownFields(expected, EXPECTED_FIELDS, place, 'expected.');
  const { calls, text, stateHash } = expected;
  if (calls !== undefined && !isListOfCalls(calls))
    throw createTaskError(
      `expected.calls: a list of { name, arguments } is needed, got ${describeValue(calls)}`,
      place,
    );
  for (const [name, value] of Object.entries({ text, stateHash }))
    if (value !== undefined && !isText(value))
      throw createTaskError(`expected.${name}: a text is needed, got ${describeValue(value)}`, place);
}

function isListOfCalls(calls: unknown): boolean {
  const isCall = (call: unknown): boolean =>
    isRecord(call) && isText(call['name']) && (call['arguments'] === undefined || isRecord(call['arguments']));
  return Array.isArray(calls) && calls.every(isCall);
}

function refuseUnknownFields(given: object, names: readonly string[], place: string, path = ''): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw createTaskError(`there is no field ${path}${quote(unknown)}.${didYouMean(unknown, names)}`, place);
}

function requireNewId(places: Map<string, string>, id: string, place: string): void {
  const first = places.get(id);
  if (first !== undefined) throw new EvalError(`${first} has the id ${quote(id)}, too`, { code: 'E991', place });
  places.set(id, place);
}

function createTaskError(problem: string, place: string, cause?: unknown): EvalError {
  return new EvalError(problem, { code: 'E990', place, cause });
}
