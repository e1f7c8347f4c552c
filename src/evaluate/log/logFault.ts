import { messageOf } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { report, ToolwrightError } from '../../error/ToolwrightError.js';

interface FaultDetails {
  /** The file with its line, or the conversation. */
  readonly place: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

/** The error of a log that cannot be read, written or used in this way. */
export function logFault(problem: string, { place, remedy, cause }: FaultDetails): PromptEvaluationError {
  return new PromptEvaluationError(report(problem, { code: 'E709', place, remedy }), {
    phase: 'tool',
    code: 'E709',
    place,
    remedy,
    cause,
  });
}

/** The error of a line that cannot be read, although others follow that were written after it. */
export function damaged(path: string, line: number, problem: string, cause?: unknown): PromptEvaluationError {
  return logFault(`the log is damaged: ${problem}`, {
    place: `${path}:${String(line)}`,
    remedy: 'Restore the file from a copy, or delete the conversation; nothing after this line can be trusted.',
    cause,
  });
}

/** Runs the work on a file, and gives its error a code, a place and a remedy. */
export async function guarded<T>(path: string, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (ToolwrightError.is(cause)) throw cause;
    throw logFault(`the file could not be ${what}: ${messageOf(cause)}`, {
      place: path,
      remedy: 'Mend what the message names, and try again: an append that is repeated is in the log once.',
      cause,
    });
  }
}

/** True for the error of a file, or folder on the way to it, that does not exist. */
export function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
