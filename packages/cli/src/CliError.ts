import { cliRemedies, messageOf } from 'toolwright/internal/light';

/** A code of the command line in docs/errors.md. */
export type CliCode = keyof typeof cliRemedies;

/** Details of a failure of the command line. */
export interface CliErrorDetails {
  readonly code: CliCode;
  /** A file, an option, or what else is at fault. */
  readonly place?: string | undefined;
  /** The remedy; that of the code by default. */
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** Bad input of the command line, with what to do about it. */
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

/** The error of a file or an output that cannot be written. @param place its path, or its name */
export function createWriteError(place: string, cause: unknown, remedy = 'Name a file that can be written.'): CliError {
  return new CliError(messageOf(cause).replace(/^\w+: /, ''), { code: 'E970', place, remedy, cause });
}
