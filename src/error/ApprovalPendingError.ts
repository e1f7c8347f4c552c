import { brand } from '../common/brand.js';
import type { JsonValue } from '../common/types.js';
import { PromptError } from './PromptError.js';
import { formatMessage } from './ToolwrightError.js';

/**
 * A call that waits for an approval, as plain data. Store it as JSON, and continue it with `app.continueCall`, also in
 * another process: with exactly the same arguments, for the same principal, conversation and tenant, and as long as its
 * tool has not changed. A changed record is refused. The record is signed if the application has `keys`; without keys,
 * protect it like other state. A call of a run that is logged is a question of its conversation instead, which
 * `conversation.reply` answers.
 */
export interface PendingCall {
  /** Version of this format. Raised when older copies can no longer read it. */
  readonly version: 4;
  /** `ns/key`. */
  readonly prompt: string;
  /** Tag of the overrides of the rendering; null without overrides. */
  readonly tag: string | null;
  readonly tool: string;
  /** Hash over the tool's name, description, schema, examples and effect: the approval holds only for an unchanged tool. */
  readonly toolHash: string;
  /** `runMetadata.principal`, `conversation` and `tenant` of the run, or null. A run of a conversation has the ids of its log. */
  readonly principal: string | null;
  readonly conversation: string | null;
  readonly tenant: string | null;
  /** The provider's id of the call. */
  readonly callId: string;
  /** The arguments as the model sent them. */
  readonly arguments: string | Readonly<Record<string, JsonValue>> | null;
  /** Location of the call: run, turn (from 1) and position in the turn. */
  readonly run: string;
  readonly turn: number;
  readonly position: string;
  /** The idempotency key of the call, which is the same before and after the approval. */
  readonly idempotencyKey: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** True if the question is in the log of a conversation. Then only `conversation.reply` answers it. */
  readonly isLogged: boolean;
  /** Signature over all other fields with the keys of the application; without keys, a hash. */
  readonly seal: string;
}

/** A control signal, not a fault: the approver answers later, and the call has not begun (docs/contract.md, 10). */
export class ApprovalPendingError extends PromptError {
  readonly pending: PendingCall;
  /**
   * Signature over the text that the question shows.
   *
   * @internal
   */
  readonly shown: string;
  /** Why the call is asked about again, after an approval that did not hold; undefined the first time. */
  readonly reason: string | undefined;

  constructor(pending: PendingCall, shown = '', reason?: string) {
    const again = reason === undefined ? '' : ` again: ${reason}`;
    const details = { code: 'E711', place: pending.tool } as const;
    super(formatMessage(`the call waits for an approval${again}`, details), details);
    this.pending = pending;
    this.shown = shown;
    this.reason = reason;
  }
}
brand(ApprovalPendingError, 'ApprovalPendingError');
