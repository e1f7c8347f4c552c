import type { CallInfo } from '../interface/CallContext.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Placement, DispatchContext } from './DispatchContext.js';
import { createIdempotencyKey, createIdentity } from './idempotencyKey.js';

/** The facts about a call that its handler may read; the idempotency key is computed on first use. */
export class HandlerCallInfo implements CallInfo {
  readonly attempt: number;
  readonly caller: CallInfo['caller'];
  readonly parentCallId: string | undefined;
  readonly #call: ToolCall;
  readonly #run: DispatchContext;
  readonly #place: Placement;

  constructor(call: ToolCall, run: DispatchContext, place: Placement, attempt: number) {
    this.attempt = attempt;
    this.caller = getCaller(place);
    this.parentCallId = getParentCallId(run, place);
    this.#call = call;
    this.#run = run;
    this.#place = place;
    Object.freeze(this);
  }

  get id(): string {
    return this.#call.id;
  }

  get name(): string {
    return this.#call.name;
  }

  get idempotencyKey(): string {
    return createIdempotencyKey(createIdentity(this.#run, this.#place), this.#call);
  }
}

export function getCaller({ caller = 'direct' }: Placement): CallInfo['caller'] {
  return caller;
}

/** Returns the id of the call in which a call is made; undefined if the model or the host makes it. */
export function getParentCallId({ parentCall }: DispatchContext, place: Placement): string | undefined {
  return (place.parentCall ?? parentCall)?.callId;
}
