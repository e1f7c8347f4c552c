import { brand } from '../common/brand.js';
import { describeValue, messageOf } from '../common/text.js';
import { PlacedError, ToolwrightError } from './ToolwrightError.js';
import { MAX_SHOWN_ISSUES } from '../common/limits.js';

/** A fault of one field of the arguments. */
export interface ParamIssue {
  readonly kind: 'missing' | 'extra' | 'type' | 'constraint';
  /** Path of the field in the names that the model uses, e.g. `items[3].qty`; empty for the whole value. */
  readonly path: string;
  /** One sentence with the expected and the received value. */
  readonly message: string;
}

/**
 * Returns the message, or the fallback if it is not a text. Handlers without types may pass anything, and the model
 * would read "undefined".
 */
function describeMessage(message: unknown, fallback: string): string {
  if (typeof message === 'string') return message.trim() === '' ? fallback : message;
  return message === undefined || message === null ? fallback : `${fallback} (${describeValue(message)})`;
}

/** Thrown by a handler to refuse a request. The model reads the message, and the call is rolled back (docs/contract.md, 7). */
export class ToolRefusal extends ToolwrightError {
  /** The value of the failed result; null if there is none. */
  readonly value: unknown;

  constructor(message: string, options: { readonly value?: unknown; readonly cause?: unknown } = {}) {
    super(describeMessage(message, 'The tool refuses this, and gave no reason.'), {
      code: 'E604',
      cause: options.cause,
    });
    this.value = options.value ?? null;
  }
}
brand(ToolRefusal, 'ToolRefusal');

/** Thrown by a handler that finds a fault in its arguments that rules cannot express (docs/contract.md, 7). */
export class ToolValidationError extends ToolwrightError {
  readonly issues: readonly ParamIssue[];

  constructor(
    message: string,
    options: { readonly issues?: readonly ParamIssue[] | undefined; readonly cause?: unknown } = {},
  ) {
    super(describeMessage(message, 'the arguments are wrong'), { code: 'E603', cause: options.cause });
    this.issues = options.issues ?? [];
  }
}
brand(ToolValidationError, 'ToolValidationError');

/** The deadline of the run has passed. Thrown inside a call, it ends the evaluation (docs/contract.md, 7 and 10). */
export class DeadlineExceededError extends ToolwrightError {
  constructor(message = 'The deadline has passed.') {
    super(message, { code: 'E605' });
  }
}
brand(DeadlineExceededError, 'DeadlineExceededError');

/** A context, session or resource of a call was used after the call had ended (docs/contract.md, 6). */
export class TransactionClosedError extends PlacedError {
  constructor(place: string) {
    super('the tool call that owns this has ended', { code: 'E602', place });
  }
}
brand(TransactionClosedError, 'TransactionClosedError');

/** A read-only tool tried to change state (docs/contract.md, 7). */
export class ReadOnlyViolationError extends PlacedError {
  constructor(place: string) {
    super('a tool with hints.readOnly tried to write', { code: 'E607', place });
  }
}
brand(ReadOnlyViolationError, 'ReadOnlyViolationError');

/** Formats the first issues in one line. */
export function formatIssues(issues: readonly ParamIssue[]): string {
  const shown = issues.slice(0, MAX_SHOWN_ISSUES).map(({ path, message }) => `${path} ${message}`.trim());
  return [
    ...shown,
    ...(issues.length > MAX_SHOWN_ISSUES ? [`and ${String(issues.length - MAX_SHOWN_ISSUES)} more`] : []),
  ].join('; ');
}

/** A database refused a commit and kept nothing. The message comes from the driver, and `maskErrors` masks it. */
export class CommitRefusal extends ToolRefusal {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}
brand(CommitRefusal, 'CommitRefusal');
