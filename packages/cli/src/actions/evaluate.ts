import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as evals from '@toolwright/evals';
import { copyOwnOptions, isRecord } from 'toolwright/internal/light';
import { CliError, createWriteError } from '../CliError.js';
import type { CommandContext } from '../Context.js';
import { loadExports } from '../load/loadApplication.js';
import { loadPackage } from '../load/loadPackage.js';
import { block } from '../terminal/TerminalText.js';

const EVALS = { name: '@toolwright/evals', place: 'eval', install: 'npm install --save-dev' };

export interface EvalCommandOptions {
  readonly results?: string;
  readonly retryFailed?: boolean;
  readonly epochs?: number;
  readonly concurrency?: number;
  readonly baseline?: string;
  readonly html?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

/** `toolwright eval` */
export async function evaluate(context: CommandContext, file: string, given: EvalCommandOptions): Promise<void> {
  const { terminal, folder, fail, signal } = context;
  const options = copyOwnOptions(given);
  const { baseline, html, junit, json = false } = options;
  const exported = await loadEval(file, folder);
  const library = await loadPackage<typeof evals>(folder, EVALS);
  const { epochs = exported.epochs, concurrency = exported.concurrency } = options;
  const evaluation = library.defineEval({ ...exported, epochs, concurrency });
  // A wrong baseline is found before the runs, which take long and cost money.
  const before = baseline === undefined ? undefined : await library.readReport(resolve(folder, baseline));
  const report = await library.runEval(evaluation, {
    results: options.results === undefined ? undefined : resolve(folder, options.results),
    retryFailed: options.retryFailed,
    signal,
    onProgress: library.createProgressBar(terminal.progressStream),
  });
  if (html !== undefined) writeReport(html, folder, library.writeHtml(report));
  if (junit !== undefined) writeReport(junit, folder, library.writeJUnit(report));
  const comparison = before === undefined ? undefined : library.compareReports(before, report);
  if (json) terminal.json(comparison === undefined ? report : { report, comparison });
  else {
    terminal.data(block(library.writeSummary(report)));
    if (comparison !== undefined) terminal.data(block(library.writeComparison(comparison)));
  }
  if (!report.passed) fail();
}

/** @throws CliError E962, and the errors of loading */
async function loadEval(given: string, folder: string): Promise<evals.Eval> {
  const { name = 'default', place, exported } = await loadExports(given, folder);
  // Imported CommonJS modules have all exports in `default`.
  const inner = exported['default'];
  const found = [exported[name], isRecord(inner) ? inner[name] : undefined].find(isEval);
  if (found !== undefined) return found;
  const remedy = 'Export an eval: export default defineEval({ name, tasks, run }). With #NAME, another export is used.';
  throw new CliError(`its export ${name} is not an eval`, { code: 'E962', place, remedy });
}

function isEval(value: unknown): value is evals.Eval {
  return isRecord(value) && typeof value['run'] === 'function' && value['tasks'] !== undefined;
}

/** @throws CliError E970 */
function writeReport(path: string, folder: string, text: string): void {
  try {
    writeFileSync(resolve(folder, path), text);
  } catch (cause) {
    throw createWriteError(path, cause);
  }
}
