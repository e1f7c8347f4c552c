import { closeSync, existsSync, openSync, truncateSync, writeSync } from 'node:fs';
import { describeValue, isRecord, isText, messageOf, quote } from 'toolwright/internal/light';
import { writeJsonText } from '../describeJson.js';
import { EvalError } from '../EvalError.js';
import { readLines } from '../readLines.js';
import { hasFailed, type ResultsHeader, type TaskResult } from './TaskResult.js';

/**
 * A file of results to which each result is appended as soon as it is known, in one write of one line. A process that is killed leaves
 * at most a torn last line, which the next one cuts off.
 */
export class ResultsFile {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /**
   * Opens a file for appending, and creates it if it does not exist.
   *
   * @param onResult called with each result that the file has, in order
   * @throws EvalError E993 for results of another eval, E994 for a damaged file, and errors of the file system
   */
  static async open(path: string, header: ResultsHeader, onResult: (result: TaskResult) => void): Promise<ResultsFile> {
    const existing = existsSync(path) ? await checkFile(path) : undefined;
    if (existing?.header !== undefined) {
      requireSameEval(path, existing.header, header);
      await replayResults(path, existing, onResult);
    }
    if (existing?.hasTornEnd === true) truncateSync(path, existing.end);
    const file = new ResultsFile(openSync(path, 'a'));
    if (existing?.header === undefined) file.#append(header);
    return file;
  }

  /** @throws errors of the file system, such as a full disk */
  append(result: TaskResult): void {
    this.#append(result);
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(line: ResultsHeader | TaskResult): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
  }
}

/** Facts about a file of results, gathered before its results are used. */
interface CheckedFile {
  /** Undefined for a file without a whole line. */
  readonly header: ResultsHeader | undefined;
  /** The number of the line that holds the result of each run; negative if the run or a scorer had failed. */
  readonly lines: ReadonlyMap<number, number>;
  /** The bytes of the whole lines. */
  readonly end: number;
  /** True if a process was killed while it wrote the last line. */
  readonly hasTornEnd: boolean;
}

/**
 * Reads a file of results. A torn last line is left out, and a failed run that was repeated is replaced.
 *
 * @param onHeader called first
 * @param onResult called with each result, in order
 * @throws EvalError E994, and errors of the file system
 */
export async function readResultsFile(
  path: string,
  onHeader: (header: ResultsHeader) => void,
  onResult: (result: TaskResult) => void,
): Promise<void> {
  const checked = await checkFile(path);
  if (checked.header === undefined)
    throw new EvalError('there are no results', {
      code: 'E994',
      place: path,
      remedy: 'Name a file that runEval has written with its option results.',
    });
  onHeader(checked.header);
  await replayResults(path, checked, onResult);
}

/** @throws EvalError E994, and errors of the file system */
async function checkFile(path: string): Promise<CheckedFile> {
  let header: ResultsHeader | undefined;
  let end = 0;
  const lines = new Map<number, number>();
  for await (const line of readLines(path)) {
    const place = `${path}:${String(line.number)}`;
    if (!line.isEnded) return { header, lines, end, hasTornEnd: true };
    if (header === undefined) header = parseHeader(line.text, place);
    else {
      const result = parseResult(line.text, place, header);
      const run = numberRun(result, header);
      const before = lines.get(run) ?? -1;
      if (before > 0) {
        const problem = `line ${String(before)} has the result of ${quote(result.task)}, epoch ${String(result.epoch)}, too`;
        throw createDamageError(`${problem}: two processes have written this file`, place);
      }
      lines.set(run, hasFailed(result) ? -line.number : line.number);
    }
    ({ end } = line);
  }
  return { header, lines, end, hasTornEnd: false };
}

/** Passes on the last result of each run. */
async function replayResults(
  path: string,
  { header, lines }: CheckedFile,
  onResult: (result: TaskResult) => void,
): Promise<void> {
  if (header === undefined) return;
  for await (const { text, number, isEnded } of readLines(path)) {
    if (number === 1 || !isEnded) continue;
    const result = parseResult(text, `${path}:${String(number)}`, header);
    if (Math.abs(lines.get(numberRun(result, header)) ?? 0) === number) onResult(result);
  }
}

/** Numbers the runs of an eval. */
export function numberRun({ index, epoch }: Pick<TaskResult, 'index' | 'epoch'>, { epochs }: ResultsHeader): number {
  return index * epochs + epoch - 1;
}

/** @throws EvalError E994 */
function parseHeader(text: string | undefined, place: string): ResultsHeader {
  const given = parseLine(text, place);
  const { format, formatVersion, name, tasksHash, tasks, epochs, scorers } = given;
  const isHeader =
    format === 'toolwright/eval-results' &&
    formatVersion === 1 &&
    [name, tasksHash].every(isText) &&
    [tasks, epochs].every(Number.isSafeInteger) &&
    Array.isArray(scorers) &&
    scorers.every(isText);
  if (!isHeader) throw createDamageError('the first line is not the header of results that this version reads', place);
  return given as unknown as ResultsHeader;
}

/** @throws EvalError E994 */
function parseResult(text: string | undefined, place: string, { tasks, epochs }: ResultsHeader): TaskResult {
  const given = parseLine(text, place);
  const { task, index, epoch, scores, pass } = given;
  const isBelow = (value: unknown, least: number, most: number): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  const isResult =
    isText(task) &&
    isBelow(index, 0, tasks - 1) &&
    isBelow(epoch, 1, epochs) &&
    typeof pass === 'boolean' &&
    isRecord(scores) &&
    Object.values(scores).every((score) => isRecord(score) && typeof score['value'] === 'number');
  if (!isResult) throw createDamageError('the line is not a result of this eval', place);
  return given as unknown as TaskResult;
}

function parseLine(text: string | undefined, place: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (isRecord(parsed)) return parsed;
    throw createDamageError(`expected an object, got ${describeValue(parsed)}`, place);
  } catch (cause) {
    if (cause instanceof EvalError) throw cause;
    throw createDamageError(`the line is not JSON: ${messageOf(cause)}`, place, cause);
  }
}

function createDamageError(problem: string, place: string, cause?: unknown): EvalError {
  return new EvalError(problem, { code: 'E994', place, cause });
}

/** @throws EvalError E993 */
function requireSameEval(path: string, found: ResultsHeader, wanted: ResultsHeader): void {
  const names = ['name', 'version', 'tasksHash', 'tasks', 'epochs', 'scorers'] as const;
  const different = names.filter((name) => JSON.stringify(found[name]) !== JSON.stringify(wanted[name]));
  if (different.length === 0) return;
  const said = different.map((name) => {
    return name === 'tasksHash'
      ? 'the tasks are different'
      : `${name} is ${writeJsonText(found[name]) ?? 'not set'} there, and ${writeJsonText(wanted[name]) ?? 'not set'} now`;
  });
  throw new EvalError(`the file has results of another eval: ${said.join('; ')}`, { code: 'E993', place: path });
}
