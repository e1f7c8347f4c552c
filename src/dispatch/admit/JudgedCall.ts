import type { ParsedCall } from '../../interface/ToolPolicy.js';
import { deepCopy } from '../../session/state/deepCopy.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { GuardedCall } from './IncomingCall.js';
import { dropRepeatedKeys, parseArguments, type ParsedArguments } from './parseArguments.js';

/**
 * A call as its policies and its approver see it. Copies the params on first use: few of them look at the params, and the copy takes
 * as long as all else that admits a call.
 */
export class JudgedCall implements ParsedCall {
  /** Shared, because the engine would create a hidden class for each accessor. */
  static readonly #accessor: PropertyDescriptor = {
    enumerable: true,
    get(this: JudgedCall): unknown {
      return this.#copyOnce();
    },
  };
  readonly tool: ParsedCall['tool'];
  readonly call: ToolCall;
  declare readonly params: unknown;
  readonly #incoming: GuardedCall;
  readonly #original: unknown;
  #copied: { readonly params: unknown } | undefined;
  #isDetached = false;

  constructor(incoming: GuardedCall, { params, repeatsKeys }: ParsedArguments) {
    this.tool = incoming.tool;
    this.call = repeatsKeys === true ? dropRepeatedKeys(incoming.call) : incoming.call;
    this.#incoming = incoming;
    this.#original = params;
    Object.defineProperty(this, 'params', JudgedCall.#accessor);
    Object.freeze(this);
  }

  /** Lets go of the handler's params before the handler can change them. */
  detach(): this {
    const { policies } = this.#incoming.tool.metadata.guardrails;
    // These policies look at the params after the handler, and must see the same as before it.
    if (policies.some((policy) => policy.onResult !== undefined)) this.#copyOnce();
    this.#isDetached = true;
    return this;
  }

  #copyOnce(): unknown {
    const copy = this.#isDetached ? parseAgain : copyParams;
    return (this.#copied ??= { params: copy(this.#incoming, this.#original) }).params;
  }
}

/**
 * Copies the params for everyone but the handler, so that neither side sees changes of the other. Parses the arguments again if
 * the params cannot be copied.
 */
export function copyParams(call: GuardedCall, params: unknown): unknown {
  const copied = deepCopy(params);
  return copied === undefined ? parseAgain(call, params) : copied.copy;
}

function parseAgain({ tool, call, reading }: GuardedCall, params: unknown): unknown {
  const parsed = parseArguments(tool.metadata, call.arguments, reading);
  return parsed.ok ? parsed.params : params;
}
