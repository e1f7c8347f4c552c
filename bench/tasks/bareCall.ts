// The least work that keeps the promises of `app.callTool`, written for one tool without our code: one promise for the caller, an
// instance of the params class, an overlay that a failure drops, a frozen context that is closed at the end, a frozen result, and the
// time of the call for its event. The lower bound for the cost of a call, with what a policy and an idempotency key add to it.
import { hash } from 'node:crypto';

/** A tool with a validator of its arguments. */
export interface BareTool<P extends object, R> {
  readonly type: new () => P;
  readonly validate: (value: unknown) => boolean;
  readonly handler: (params: P, context: object) => R | Promise<R>;
}

class BareSession {
  readonly slices = new Map<unknown, unknown>();
}

class BareTransaction {
  writes: Map<unknown, unknown> | undefined;

  constructor(readonly base: BareSession) {}

  commit(): void {
    if (this.writes !== undefined) for (const [key, value] of this.writes) this.base.slices.set(key, value);
  }
}

class BareContext {
  readonly #transaction: BareTransaction;
  #isClosed = false;

  constructor(transaction: BareTransaction) {
    this.#transaction = transaction;
    Object.freeze(this);
  }

  get session(): BareTransaction {
    if (this.#isClosed) throw new TypeError('closed');
    return this.#transaction;
  }

  static close(context: BareContext): void {
    context.#isClosed = true;
  }
}

class BareResult<R> {
  readonly success = true;
  readonly message = '';

  constructor(readonly value: R) {
    Object.freeze(this);
  }
}

/** Creates the function that runs one call: from JSON text to the text that the model reads. */
export function createBareCall<P extends object, R>(
  name: string,
  tool: BareTool<P, R>,
): (args: string) => Promise<string> {
  const tools = new Map([[name, tool]]);
  const session = new BareSession();
  const listeners: ((event: object) => void)[] = [];
  const call = async (called: string, args: string) => {
    const startedAt = performance.now();
    const found = tools.get(called);
    const value: unknown = JSON.parse(args);
    if (found?.validate(value) !== true) throw new TypeError('invalid');
    const params = Object.assign(new found.type(), value);
    const transaction = new BareTransaction(session);
    const context = new BareContext(transaction);
    const returned = found.handler(params, context);
    const result = new BareResult(returned instanceof Promise ? await returned : returned);
    transaction.commit();
    BareContext.close(context);
    const text = JSON.stringify(result.value);
    for (const listen of listeners) listen({ called, params, result, durationMs: performance.now() - startedAt });
    return { kind: 'succeeded', result, text };
  };
  return async (args) => (await call(name, args)).text;
}

/** A call as its policy sees it. Copies the params only for a policy that reads them. */
class BareJudgedCall {
  readonly #params: object;
  #copy: object | undefined;

  constructor(
    readonly name: string,
    readonly args: string,
    params: object,
  ) {
    this.#params = params;
    Object.freeze(this);
  }

  get params(): object {
    return (this.#copy ??= structuredClone(this.#params));
  }
}

/** A policy that decides about a call. */
export type BarePolicy = (call: object, context: object) => BareDecision | Promise<BareDecision>;

interface BareDecision {
  readonly allowed: boolean;
}

/**
 * Creates the function that asks a policy about a call: it awaits the decision on a context of its own, which is closed afterwards, and
 * makes sure that the policy reads the same arguments as the handler.
 *
 * @throws TypeError if the policy denies the call
 */
export function createBarePolicy(name: string, policy: BarePolicy): (args: string, params: object) => Promise<void> {
  const session = new BareSession();
  return async (args, params) => {
    // JSON that is written as it was read has no key twice.
    const isSame = JSON.stringify(params) === args;
    const context = new BareContext(new BareTransaction(session));
    const decision = await policy(new BareJudgedCall(name, isSame ? args : JSON.stringify(params), params), context);
    BareContext.close(context);
    if (!decision.allowed) throw new TypeError('denied');
  };
}

/** Creates the idempotency key of a call: the SHA-256 of its place, its tool, and its arguments with sorted keys. */
export function createBareKey(run: string, name: string, args: string): string {
  return hash('sha256', JSON.stringify([run, 1, '0', name, sortKeys(JSON.parse(args))]));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.keys(fields)
    .sort()
    .map((key) => [key, sortKeys(fields[key])]);
}
