import type { ApplicationConfig, ExternalContextCreator } from '@nestjs/core';
import { IntrinsicException } from '@nestjs/common';
import { ToolRefusal, ToolResult, ToolwrightError } from 'toolwright';
import { messageOf, isObject } from 'toolwright/internal/light';
import { className, isHttpFailure } from 'toolwright/internal';
import { ResponseStandIn } from './ResponseStandIn.js';
import { HostFilters } from './HostFilters.js';
import { type HostInvocation, argumentsOf, TOOL_CALL, type HostArguments } from './toolCallOf.js';

/** A handler that is bound to its call. */
type Handle = (params: unknown) => unknown;

const PIPED = 'toolwright:piped';
/** The param type `custom`, which pipes get. Nest's ValidationPipe skips it, and params are validated already. */
const CUSTOM = 0;

/** Runs the host's enhancers around handlers: first guards, separately, then interceptors, pipes and filters. */
export class HostPipeline {
  readonly #creator: ExternalContextCreator;
  readonly #filters: HostFilters;
  readonly #names = new WeakMap<object, Map<string | symbol | undefined, string>>();

  constructor(creator: ExternalContextCreator, config: ApplicationConfig) {
    this.#creator = creator;
    this.#filters = new HostFilters(config);
  }

  /**
   * Asks the guards.
   *
   * @returns the reason of a refusal, for the model; undefined if the call may run
   * @throws errors of guards, unchanged, except HTTP exceptions with status 400 to 499, which are refusals
   */
  async refusal(call: HostInvocation): Promise<string | undefined> {
    const response = new ResponseStandIn(placeOf(call));
    const admit = (): undefined => undefined;
    const options = { guards: true, interceptors: false, filters: false };
    try {
      try {
        await this.#buildChain(call, admit, undefined, options)(...argumentsOf(call, response.standIn));
        return undefined;
      } catch (thrown) {
        const said = await this.#answerByFilter(call, thrown, response);
        if (said instanceof ToolResult) return said.message;
        return typeof said === 'string' ? said : 'It is not permitted.';
      }
    } catch (thrown) {
      const text = formatRefusal(thrown);
      if (text === undefined) throw thrown;
      return text;
    }
  }

  /**
   * Runs the handler. Interceptors get its value. A failed result passes them as an error, like errors of Toolwright; neither
   * interceptors nor filters can turn these into a success.
   */
  async handle(call: HostInvocation, handle: Handle): Promise<unknown> {
    const seen: { given?: ToolResult; past?: () => unknown; failed?: { readonly error: unknown } } = {};
    const pass = (error: unknown, end: () => unknown): never => {
      seen.past = end;
      throw new PastTheHost(messageOf(error));
    };
    const core = async (params: unknown): Promise<unknown> => {
      const result = await awaitHandler(handle, params, call, pass).catch((error: unknown) => {
        seen.failed = { error };
        throw error;
      });
      if (!(result instanceof ToolResult)) return result;
      if (!result.success) return pass(result.message, () => result);
      seen.given = result;
      return result.value;
    };
    const response = new ResponseStandIn(placeOf(call));
    const options = { guards: false, interceptors: true, filters: false };
    const chain = this.#buildChain(call, core, this.#nameOf(call), options);
    let value: unknown;
    try {
      const running = async (): Promise<unknown> => awaitLast(await chain(...argumentsOf(call, response.standIn)));
      value = await running().catch((thrown: unknown) =>
        this.#answerByFilter(call, this.#filters.firstOf(call, thrown, seen.failed), response),
      );
    } catch (thrown) {
      if (seen.past === undefined) throw refusalOf(thrown);
    }
    const { given, past } = seen;
    if (past !== undefined) return past();
    if (given === undefined || value === given.value) return given ?? value;
    const { message, excludeValueFromContext } = given;
    return value instanceof ToolResult ? value : new ToolResult({ message, value, excludeValueFromContext });
  }

  /** Lets a filter answer an error. @throws the error itself if no filter does, or the error that the filter throws instead */
  #answerByFilter(call: HostInvocation, error: unknown, response: ResponseStandIn): Promise<unknown> {
    const rethrow = (): never => {
      throw error;
    };
    const options = { guards: false, interceptors: false, filters: true };
    return this.#filters.answer(call, error, response, async () =>
      awaitLast(await this.#buildChain(call, rethrow, undefined, options)(...argumentsOf(call, response.standIn))),
    );
  }

  #buildChain(
    call: HostInvocation,
    act: Handle,
    pipedName: string | undefined,
    options: { readonly guards: boolean; readonly interceptors: boolean; readonly filters: boolean },
  ): (...args: readonly unknown[]) => Promise<unknown> {
    const { handler, instance, contextId } = call;
    const factory = { exchangeKeyForValue: (_type: number, _data: unknown, args: HostArguments) => args[3].params };
    return this.#creator.create(
      instance,
      createStandIn(handler, act),
      pipedName ?? 'toolwright:guarded',
      pipedName === undefined ? undefined : PIPED,
      pipedName === undefined ? undefined : factory,
      contextId,
      undefined,
      options,
      TOOL_CALL,
    );
  }

  /**
   * Returns the name under which the handler's params are registered with Nest. Nest caches metadata by the names of class and
   * method, so the name must not occur in another class or for another use of the same method.
   */
  #nameOf({ handler: { member, paramsType }, instance }: HostInvocation): string {
    const { constructor: type } = instance;
    const names = this.#names.get(type) ?? new Map<string | symbol | undefined, string>();
    this.#names.set(type, names);
    const known = names.get(member);
    if (known !== undefined) return known;
    const name = `toolwright:${String(named++)}:${String(member)}`;
    names.set(member, name);
    // A plain object instead of the provider, as in tests, has no class for the metadata, so no pipe runs.
    if (type === Object) return name;
    Reflect.defineMetadata(PIPED, { [`${String(CUSTOM)}:0`]: { index: 0, data: undefined, pipes: [] } }, type, name);
    Reflect.defineMetadata('design:paramtypes', [paramsType ?? Object], type.prototype as object, name);
    return name;
  }
}

let named = 0;

function placeOf({ handler: { type, member } }: HostInvocation): string {
  return member === undefined ? className(type) : `${className(type)}.${String(member)}`;
}

/** Returns the function that Nest gets as the handler: it has the handler's name and inherits its metadata. */
function createStandIn({ type, member }: HostInvocation['handler'], act: Handle): (...args: unknown[]) => unknown {
  const method: unknown = member === undefined ? undefined : (type.prototype as Record<PropertyKey, unknown>)[member];
  // With pipes, Nest passes their result; without any, all arguments of the execution context.
  const callback = (...args: unknown[]): unknown =>
    act(args.length === 1 ? args[0] : (args as unknown as HostArguments)[3].params);
  if (typeof method === 'function') Object.setPrototypeOf(callback, method);
  return Object.defineProperty(callback, 'name', { value: String(member ?? 'handler') });
}

/**
 * Waits for the handler. Errors of Toolwright bypass the host. So do errors of an aborted call, which nobody receives and which are
 * not worth logging.
 */
async function awaitHandler(
  handle: Handle,
  params: unknown,
  { context }: HostInvocation,
  pass: (error: unknown, end: () => unknown) => never,
): Promise<unknown> {
  try {
    return await handle(params);
  } catch (error) {
    if (!(error instanceof ToolwrightError) && !context.signal.aborted) throw error;
    return pass(error, () => {
      throw error;
    });
  }
}

/** Wraps an error that bypasses the host. Nest does not log it. */
class PastTheHost extends IntrinsicException {}

/** The part of an observable, of any library, that is used. */
interface Subscribable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): unknown;
}

/** Returns the last value of an observable, which filters may return; any other value unchanged. */
function awaitLast(value: unknown): Promise<unknown> {
  if (!isSubscribable(value)) return Promise.resolve(value);
  return new Promise((resolve, reject) => {
    let last: unknown;
    value.subscribe({
      next: (one) => (last = one),
      error: reject,
      complete: () => {
        resolve(last);
      },
    });
  });
}

function isSubscribable(value: unknown): value is Subscribable {
  return isObject(value) && typeof (value as Partial<Subscribable>).subscribe === 'function';
}

/** Returns the text for the model of an exception that blames the caller (400 to 499); undefined for any other. */
function formatRefusal(thrown: unknown): string | undefined {
  if (!isHttpFailure(thrown)) return undefined;
  const status = thrown.getStatus();
  return status >= 400 && status < 500 ? (messageIn(thrown.getResponse()) ?? thrown.message) : undefined;
}

/** Converts an exception that blames the caller to a refusal; returns any other unchanged. */
function refusalOf(thrown: unknown): unknown {
  const text = formatRefusal(thrown);
  return text === undefined ? thrown : new ToolRefusal(text, { cause: thrown });
}

/** Returns the message of a response; pipes send a list of messages. */
function messageIn(response: unknown): string | undefined {
  if (!isObject(response)) return undefined;
  const { message } = response as { readonly message?: unknown };
  if (typeof message === 'string') return message;
  return Array.isArray(message) ? message.map(String).join('; ') : undefined;
}
