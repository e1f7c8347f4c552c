import type { CallInfo } from '../interface/CallContext.js';
import type { ToolCall } from '../value/ToolCall.js';
import { idempotencyKey, type CallIdentity } from './idempotencyKey.js';

/** What a handler may know of its call; the key is computed when asked for. */
export class CallDetails implements CallInfo {
  readonly attempt: number;
  readonly caller = 'direct';
  readonly #call: ToolCall;
  readonly #identity: CallIdentity;

  constructor(call: ToolCall, identity: CallIdentity, attempt: number) {
    this.attempt = attempt;
    this.#call = call;
    this.#identity = identity;
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
