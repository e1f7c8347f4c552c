import type { ApplicationConfig } from '@nestjs/core';
import { ContainerError } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import type { ResponseStandIn } from './ResponseStandIn.js';
import type { HostInvocation } from './toolCallOf.js';
import { MAX_FILTER_REPORTS } from './limits.js';

/** The metadata keys of `@UseFilters` and `@Catch`. Declared here, because Nest does not export them from a public entry. */
const FILTERS = '__exceptionFilters__';
const CAUGHT = '__filterCatchExceptions__';

/**
 * Lets the host's filters answer the errors of tool calls. Many filters are written only for HTTP and fail without a request or
 * response. The original error is then kept, and the fault of the filter is logged once, with the remedy.
 */
export class HostFilters {
  readonly #config: ApplicationConfig;
  readonly #reported = new Set<string>();

  constructor(config: ApplicationConfig) {
    this.#config = config;
  }

  /**
   * Returns the answer of the filter that catches the error.
   *
   * @param run lets Nest choose the filter and call it
   * @throws the error itself if no filter answers it; the error that a filter throws or returns in its place
   */
  async answer(
    call: HostInvocation,
    error: unknown,
    response: ResponseStandIn,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    // Without a filter, Nest would log the error, which the call has logged already. Nest also logs it if a filter returns nothing.
    if (!this.#isCaught(call, error)) throw error;
    response.takeRefusal();
    let answer: unknown;
    try {
      answer = await run();
    } catch (thrown) {
      const fault = response.takeRefusal() ?? (isFaultOfHost(thrown) ? thrown : undefined);
      if (thrown === error || fault === undefined) throw thrown;
      this.#report(call, fault);
      throw error;
    }
    const refusal = response.takeRefusal();
    if (refusal !== undefined) this.#report(call, refusal);
    // Filters of GraphQL return the exception. A filter that only logs does not turn the call into a success.
    if (answer instanceof Error) throw answer;
    if (refusal !== undefined || answer === undefined) throw error;
    return answer;
  }

  /** Returns the error of the handler if an interceptor failed because HTTP is missing; otherwise the thrown error. */
  firstOf(call: HostInvocation, thrown: unknown, failed: { readonly error: unknown } | undefined): unknown {
    if (failed === undefined || thrown === failed.error || !isFaultOfHost(thrown)) return thrown;
    this.#report(call, thrown);
    return failed.error;
  }

  #isCaught({ handler: { type, member }, instance }: HostInvocation, error: unknown): boolean {
    const method: unknown = member === undefined ? undefined : (type.prototype as Record<PropertyKey, unknown>)[member];
    const filters: readonly unknown[] = [
      ...this.#config.getGlobalFilters(),
      ...this.#config.getGlobalRequestFilters().map(({ metatype }) => metatype),
      ...[type, instance.constructor, method].flatMap(readFilters),
    ];
    return filters.some((filter) => canCatch(filter, error));
  }

  /** Logs a fault of a filter only once, because the filter is called for every error. */
  #report({ context }: HostInvocation, fault: Error): void {
    const isRefusal = fault instanceof ContainerError;
    const key = isRefusal ? fault.code : fault.message;
    if (this.#reported.has(key) || this.#reported.size >= MAX_FILTER_REPORTS) return;
    this.#reported.add(key);
    const error = isRefusal ? fault : describeMisplaced(fault);
    context.logger.error(`The error of ${context.call.name} is kept, but a filter around it failed: ${error.message}`, {
      error,
    });
  }
}

function describeMisplaced(cause: Error): ContainerError {
  return new ContainerError(`it needs HTTP, which a tool call does not have: ${messageOf(cause)}`, {
    code: 'E957',
    place: 'filter',
    cause,
  });
}

/** Checks for an error of code that was written for HTTP and found no request or response. */
function isFaultOfHost(thrown: unknown): thrown is Error {
  if (thrown instanceof ContainerError) return thrown.code === 'E957';
  return thrown instanceof Error && (thrown.name === 'TypeError' || thrown.name === 'ReferenceError');
}

function readFilters(place: unknown): readonly unknown[] {
  const filters: unknown = typeof place === 'function' ? Reflect.getMetadata(FILTERS, place) : undefined;
  return Array.isArray(filters) ? (filters as readonly unknown[]) : [];
}

/** Checks whether a filter, a class or an instance, catches an error. A filter without types catches everything. */
function canCatch(filter: unknown, error: unknown): boolean {
  if ((typeof filter !== 'object' && typeof filter !== 'function') || filter === null) return false;
  const types: unknown = Reflect.getMetadata(CAUGHT, typeof filter === 'function' ? filter : filter.constructor);
  if (!Array.isArray(types) || types.length === 0) return true;
  return types.some((type: unknown) => typeof type === 'function' && error instanceof type);
}
