import type { EvalProgress } from './runEval.js';

/** The part of a stream that a progress bar needs, such as `process.stderr`. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const REDRAW_MS = 100;
const BAR_CHARS = 24;

/**
 * Creates a function for `onProgress` that draws a bar with the runs, their failures and the time left. Writes nothing to a stream that is
 * not a terminal.
 *
 * @example
 * await runEval(evaluation, { onProgress: createProgressBar(process.stderr) });
 */
export function createProgressBar(stream: ProgressStream): (progress: EvalProgress) => void {
  let drawnAt = -Infinity;
  let latest: EvalProgress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    drawnAt = performance.now();
    if (latest === undefined) return;
    const { columns = 80 } = stream;
    const end = latest.done === latest.total ? '\n' : '';
    stream.write(`\r\u001b[2K${formatProgress(latest).slice(0, columns - 1)}${end}`);
  };
  return (progress) => {
    if (stream.isTTY !== true) return;
    latest = progress;
    if (progress.done === progress.total || performance.now() - drawnAt >= REDRAW_MS) draw();
    // The next run may take long: without this, the bar would show one too few until then.
    else timer ??= setTimeout(draw, REDRAW_MS).unref();
  };
}

/** Formats progress in one line. */
function formatProgress({ done, total, failed, remainingMs }: EvalProgress): string {
  const filled = Math.floor((done / total) * BAR_CHARS);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARS - filled)}`;
  const left = done === total || remainingMs === undefined ? '' : `, ${formatDuration(remainingMs)} left`;
  return `${bar} ${String(done)}/${String(total)}, ${String(failed)} failed${left}`;
}

/** Formats milliseconds as `1 h 5 min`, `2 min 10 s` or `4 s`. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ${String(seconds % 60)} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}
