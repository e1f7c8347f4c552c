import { brand, hasBrand } from '../common/brand.js';
import type { JsonValue } from '../common/types.js';
import { PromptError } from './PromptError.js';

/**
 * A call that waits for an approval, as plain data: stored as JSON, it can be continued in another process with exactly the
 * same arguments (`app.continueCall`), for the same principal and conversation, and as long as its tool is the same. A record that
 * was changed is refused; store it with the protection of other state nevertheless, since it has no signature. A call of a run that
 * is logged is a question of its conversation instead, which `conversation.reply` answers.
 */
export interface PendingCall {
  /** Version of this format; raised when older copies could not read it. */
  readonly version: 2;
  /** `ns/key`. */
  readonly prompt: string;
  readonly tool: string;
  /** Hash over the tool's name, description, schema and examples: the approval is for the tool as it was. */
  readonly toolHash: string;
  /** `runMetadata.principal` and `runMetadata.conversation` of the run; null without. */
  readonly principal: string | null;
  readonly conversation: string | null;
  /** The provider's id of the call. */
  readonly callId: string;
  /** The arguments as sent. */
  readonly arguments: string | Readonly<Record<string, JsonValue>> | null;
  /** Location of the call: run, turn (from 1) and position in the turn. */
  readonly run: string;
  readonly turn: number;
  readonly position: string;
  /** The key of the call, the same before and after the approval. */
  readonly idempotencyKey: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** True if the log of a conversation asks for the answer: it is given there, and nowhere else. */
  readonly isLogged: boolean;
  /** Hash over all other fields. */
  readonly digest: string;
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
