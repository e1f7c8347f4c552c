import { brand } from '../common/brand.js';
import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import { findRemedy, type ErrorCode } from './remedies.js';

/** Details of every error of Toolwright besides its message. */
export interface ErrorDetails {
  /** The code in docs/errors.md. */
  readonly code: ErrorCode;
  /** Class and member, section path, or tool name. */
  readonly place?: string | undefined;
  /** The remedy; by default the remedy of the code. */
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Base of every error that Toolwright throws: `code`, `place` and `remedy` say what happened, where, and what to do.
 * `instanceof` also recognises errors of another copy of the package.
 */
export class ToolwrightError extends Error {
  readonly code: ErrorCode;
  readonly place: string | undefined;
  readonly remedy: string;
  /**
   * The conversation of the run that this error ended, redacted as in `PromptResponse`; empty if the run had not built
   * a request. Undefined if the error did not end a run (docs/failures.md#what-an-error-says-about-its-run).
   */
  declare readonly transcript: readonly Message[] | undefined;
  /** The usage of all requests of that run; undefined if one of them reported none. */
  declare readonly usage: Usage | undefined;
  /** `session.version` of that run's session. The state is unchanged as long as the session has this version. */
  declare readonly sessionVersion: number | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code;
    this.place = details.place;
    this.remedy = details.remedy ?? findRemedy(details.code);
  }
}
brand(ToolwrightError, 'ToolwrightError');

/** Base of the errors that get a problem and format their message from it and the details. */
export abstract class PlacedError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(formatMessage(problem, details), details);
  }
}

/** Creates an error whose message names its code, its place and its remedy. */
export function createPlacedError(problem: string, details: ErrorDetails): ToolwrightError {
  return new ToolwrightError(formatMessage(problem, details), details);
}

/** Formats the message of an error for a developer: code, place, problem and remedy, on at most two lines. */
export function formatMessage(problem: string, { code, place, remedy }: ErrorDetails): string {
  const where = place === undefined ? '' : ` ${place}`;
  return `${code}${where}: ${problem}\n  fix: ${remedy ?? findRemedy(code)} (docs/errors.md#${code.toLowerCase()})`;
}
