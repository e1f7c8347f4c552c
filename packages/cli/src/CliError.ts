import { cliRemedies, messageOf } from 'toolwright/internal/light';

/** A code of the command line in docs/errors.md. */
export type CliCode = keyof typeof cliRemedies;

export interface CliErrorDetails {
  readonly code: CliCode;
  /** The file, option or other input that caused the error. */
  readonly place?: string | undefined;
  /** The remedy; by default the remedy of the code. */
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** An error in the input of the command line, with its remedy. */
export class CliError extends Error {
  readonly code: CliCode;
  readonly place: string | undefined;
  readonly remedy: string;
  readonly problem: string;

  constructor(problem: string, { code, place, remedy = cliRemedies[code], cause }: CliErrorDetails) {
    const where = place === undefined ? '' : ` ${place}`;
    super(`${code}${where}: ${problem}\n  fix: ${remedy} (docs/errors.md#${code.toLowerCase()})`, { cause });
    this.name = 'CliError';
    this.code = code;
    this.place = place;
    this.remedy = remedy;
    this.problem = problem;
  }
}

/** Creates the error for a file or an output that cannot be written. @param place its path, or its name */
export function createWriteError(place: string, cause: unknown, remedy = 'Name a file that can be written.'): CliError {
  return new CliError(messageOf(cause).replace(/^\w+: /, ''), { code: 'E970', place, remedy, cause });
}
