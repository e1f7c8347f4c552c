import type { Logger } from 'toolwright';
import { getApplicationParts } from 'toolwright/internal';
import { type ReportFormat, reports, writeSarifFile } from '../check/reports.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { nameOf, selectPrompt, withApplication } from '../load/withApplication.js';
import { DEFAULT_CONCURRENT_REPLAYS, DEFAULT_REPLAY_SECONDS } from '../limits.js';
import { checkRuns, type RunsReport } from './checkRuns.js';
import { listBundleFiles } from './readRuns.js';
import { showRuns, toProblems } from './showRuns.js';

export interface AgainstOptions extends AppOptions {
  readonly format: ReportFormat;
  /** A file to which the findings are written as well. */
  readonly sarif?: string;
  /** The kinds of changes to report; all by default. */
  readonly only?: readonly string[];
  readonly concurrency?: number;
  /** The longest time of one replay, in seconds. */
  readonly timeout?: number;
}

/**
 * Shows how the present application changes recorded runs.
 *
 * @param path a bundle, or a folder of bundles
 * @throws CliError E970, E981, and the errors of loading the application
 */
export async function checkAgainst(context: CommandContext, path: string, options: AgainstOptions): Promise<void> {
  const { terminal, folder, fail, signal } = context;
  const { concurrency = DEFAULT_CONCURRENT_REPLAYS, timeout = DEFAULT_REPLAY_SECONDS, only, sarif } = options;
  const files = listBundleFiles(path, folder);
  const all = await withApplication(context, options, (loaded) => {
    // A replay ends with the answers of the record, so the warnings of its calls tell nothing new.
    const { services } = getApplicationParts(loaded.app);
    (services as { logger: Logger }).logger = silentLogger;
    const prompt = options.prompt === undefined ? undefined : nameOf(selectPrompt(loaded, options.prompt));
    return checkRuns(loaded, files, folder, { concurrency, prompt, timeoutMs: timeout * 1_000, signal });
  });
  const report = only === undefined ? all : selectKinds(all, only);
  if (sarif !== undefined) writeSarifFile(context, sarif, toProblems(report));
  if (options.json === true || options.format === 'json') terminal.json(describeReport(report));
  else if (options.format === 'text') await showRuns(terminal, report);
  else reports[options.format](terminal, toProblems(report));
  // A check of nothing must not pass.
  if (report.runs.length === 0 || report.problems.some(({ level }) => level === 'error')) fail(2);
  else if (report.runs.some(({ changes }) => changes.length > 0)) fail(1);
}

const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Nothing is logged.
}

function selectKinds({ runs, problems }: RunsReport, only: readonly string[]): RunsReport {
  const selected = runs.map((run) => ({ ...run, changes: run.changes.filter(({ kind }) => only.includes(kind)) }));
  return { runs: selected, problems };
}

/** The report as JSON: each run with its kinds of changes, or `same`. */
function describeReport({ runs, problems }: RunsReport): object {
  const described = runs.map(({ changes, ...run }) => {
    const kinds = [...new Set(changes.map(({ kind }) => kind))];
    return { ...run, kinds: kinds.length === 0 ? ['same'] : kinds, changes };
  });
  return { runs: described, problems };
}
