import { brand, hasBrand } from '../common/brand.js';
import type { JsonValue } from '../common/types.js';
import { PromptError } from './PromptError.js';

/**
 * A call that waits for an approval, as plain data: written as JSON, it can be continued in another process with the very
 * same arguments (`app.continueCall`). Whoever can change it can change what is called, so keep it where you keep state.
 */
export interface PendingCall {
  /** Of this form; raised when older copies could not read it. */
  readonly version: 1;
  /** `ns/key`. */
  readonly prompt: string;
  readonly tool: string;
  /** The provider's id of the call. */
  readonly callId: string;
  /** As they were sent. */
  readonly arguments: string | Readonly<Record<string, JsonValue>> | null;
  /** Where the call stands: run, turn (from 1) and position in the turn. */
  readonly run: string;
  readonly turn: number;
  readonly position: string;
  /** The call's own, before and after; also tells whether the record is still what was written. */
  readonly idempotencyKey: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/** A control signal, not a fault: the approver answers later, and the call has not begun (docs/contract.md, 10). */
export class ApprovalPendingError extends PromptError {
  readonly pending: PendingCall;

  constructor(pending: PendingCall) {
    super(`The call of ${pending.tool} waits for an approval.`, { code: 'E711' });
    this.pending = pending;
  }

  static override is(this: void, value: unknown): value is ApprovalPendingError {
    return hasBrand(value, 'ApprovalPendingError');
  }
}
brand(ApprovalPendingError, 'ApprovalPendingError');
