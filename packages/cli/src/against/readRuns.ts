import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Bundle, BundleEntry } from 'toolwright/bundles';
import { messageOf } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import { readRecorded } from '../readRecorded.js';
import type { RunProblem } from './RunChange.js';
import { splitBundle, type SplitRun } from './splitBundle.js';

/** A run of a bundle in a file. */
export interface RecordedRun extends SplitRun {
  readonly file: string;
  /** Returns the line of an entry, from 1. */
  readonly lineOf: (entry: BundleEntry) => number;
}

/**
 * Lists the bundles of a folder and the folders below it, or the given file itself.
 *
 * @throws CliError E970 for a path that cannot be read, E981 for a folder without bundles
 */
export function listBundleFiles(path: string, folder: string): readonly string[] {
  const place = resolve(folder, path);
  const found = readPlace(path, () => (statSync(place).isDirectory() ? readdirSync(place, { recursive: true }) : []));
  if (!statSync(place).isDirectory()) return [path];
  const files = found.map((name) => join(place, String(name))).filter((file) => file.endsWith('.jsonl'));
  if (files.length > 0) return files.sort().map((file) => relative(folder, file).split(sep).join('/'));
  throw new CliError(`no file in it ends in .jsonl (${String(found.length)} others)`, { code: 'E981', place: path });
}

function readPlace<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CliError(messageOf(cause).replace(/^\w+: /, ''), { code: 'E970', place: path, cause });
  }
}

/** Reads the runs of bundles, one file at a time; a file that cannot be read is a problem. */
export async function* readRuns(files: readonly string[], folder: string): AsyncGenerator<RecordedRun | RunProblem> {
  for (const file of files) {
    let bundle: Bundle;
    try {
      bundle = await readBundleOnly(file, folder);
    } catch (error) {
      yield createProblem(file, 1, error);
      continue;
    }
    const lines = new Map(bundle.entries.map((entry, index) => [entry, index + 2]));
    const lineOf = (entry: BundleEntry): number => lines.get(entry) ?? 1;
    for (const run of splitBundle(bundle)) yield { ...run, file, lineOf };
  }
}

/** @throws CliError E970 for a transcript; the errors of `readRecorded` */
async function readBundleOnly(file: string, folder: string): Promise<Bundle> {
  const recorded = await readRecorded(file, folder);
  if (recorded.kind === 'bundle') return recorded.bundle;
  const remedy = 'Record bundles: toolwright run --record, or recordBundle of toolwright/bundles.';
  throw new CliError('it is a transcript, which holds neither tools nor state', { code: 'E970', place: file, remedy });
}

/** Describes why a file or one of its runs cannot be compared. */
export function createProblem(file: string, line: number, error: unknown, run?: string): RunProblem {
  const { code = 'error', problem, remedy, place } = (error ?? {}) as Partial<CliError>;
  const [, at] = /^line (\d+)$/.exec(place ?? '') ?? [];
  const [first = ''] = messageOf(error).split('\n', 1);
  // The report names the line and the run itself.
  const begin = /^(?:line|run) /.test(place ?? '') ? `${code} ${place ?? ''}: ` : `${code} `;
  const message = problem ?? (first.startsWith(begin) ? first.slice(begin.length) : first);
  // The end of a run that was cancelled or cut off is not in the record, so it stays as it is after any edit.
  const level = (code as string) === 'E752' ? 'note' : 'error';
  return { file, line: at === undefined ? line : Number(at), run, code, message, remedy, level };
}
