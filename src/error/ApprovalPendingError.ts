import { brand } from '../common/brand.js';
import type { JsonValue } from '../common/types.js';
import { PromptError } from './PromptError.js';

/**
 * A call that waits for an approval, as plain data: stored as JSON, it can be continued in another process with exactly the
 * same arguments (`app.continueCall`), for the same principal, conversation and tenant, and as long as its tool is the same. A record
 * that was changed is refused. It is signed if the application has `keys`; without them, protect it as other state. A call of a run that
 * is logged is a question of its conversation instead, which `conversation.reply` answers.
 */
export interface PendingCall {
  /** Version of this format; raised when older copies could not read it. */
  readonly version: 4;
  /** `ns/key`. */
  readonly prompt: string;
  /** The tag of the overrides with which it was rendered; null without. */
  readonly tag: string | null;
  readonly tool: string;
  /** Hash over the tool's name, description, schema, examples and effect: the approval is for the tool as it was. */
  readonly toolHash: string;
  /** `runMetadata.principal`, `conversation` and `tenant` of the run; null without. A run of a conversation has the ids of its log. */
  readonly principal: string | null;
  readonly conversation: string | null;
  readonly tenant: string | null;
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
  /** Signs all other fields with the keys of the application; without keys, a hash. */
  readonly seal: string;
}

/** A control signal, not a fault: the approver answers later, and the call has not begun (docs/contract.md, 10). */
export class ApprovalPendingError extends PromptError {
  readonly pending: PendingCall;
  /**
   * Seals what the question shows.
   *
   * @internal
   */
  readonly shown: string;

  constructor(pending: PendingCall, shown = '') {
    super(`The call of ${pending.tool} waits for an approval.`, { code: 'E711' });
    this.pending = pending;
    this.shown = shown;
  }
}
brand(ApprovalPendingError, 'ApprovalPendingError');
