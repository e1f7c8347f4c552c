import type { CallInfo } from '../interface/CallContext.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallPlace, CallRun } from './CallRun.js';
import { idempotencyKey, identityOf, type CallIdentity } from './idempotencyKey.js';

/** The facts about a call that its handler may read; the idempotency key is computed on first use. */
export class CallDetails implements CallInfo {
  readonly attempt: number;
  readonly caller: CallInfo['caller'];
  readonly parentCallId: string | undefined;
  readonly #call: ToolCall;
  readonly #identity: CallIdentity;

  constructor(call: ToolCall, run: CallRun, place: CallPlace, attempt: number) {
    this.attempt = attempt;
    this.caller = callerAt(place);
    this.parentCallId = parentOf(run, place);
    this.#call = call;
    this.#identity = identityOf(run, place);
    Object.freeze(this);
  }

  get id(): string {
    return this.#call.id;
  }

  get name(): string {
    return this.#call.name;
  }

  get idempotencyKey(): string {
    return idempotencyKey(this.#identity, this.#call);
  }
}

/** The caller of a call at this place; `direct` when left out. */
export function callerAt({ caller = 'direct' }: CallPlace): CallInfo['caller'] {
  return caller;
}

/** The id of the call in which a call is made; undefined for one that the model or the host makes. */
export function parentOf({ parentCall }: CallRun, place: CallPlace): string | undefined {
  return (place.parentCall ?? parentCall)?.callId;
}
