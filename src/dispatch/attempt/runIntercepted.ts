import { PromptEvaluationError } from '../../error/PromptError.js';
import type { InterceptedInvocation, InterceptedToolCall, Interceptor, Next } from '../../interface/Interceptor.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { ToolResult } from '../../value/ToolResult.js';

/** The method of one interceptor around a subject. */
export type Around<S, T> = (subject: S, next: Next<T>) => Promise<unknown>;

/** The method of one interceptor around a whole call. */
export type AroundCall = Around<InterceptedToolCall, ToolOutcome>;

/** The method of one interceptor around a handler. */
export type AroundHandler = Around<InterceptedInvocation, ToolResult>;

/** The interceptors that have the method, as functions; the first is outermost. */
export function bindMethods<K extends keyof Interceptor>(
  interceptors: readonly Interceptor[],
  method: K,
): readonly NonNullable<Interceptor[K]>[] {
  return interceptors.flatMap((one) => {
    const around = one[method];
    return around === undefined ? [] : [around.bind(one) as NonNullable<Interceptor[K]>];
  });
}

/**
 * Runs the core within the layers, the first outermost. The result or error from within a layer counts, whatever the layer
 * returns or swallows; a layer that throws by itself denies.
 *
 * @param what the subject, for the message of a misuse
 * @throws what a layer or the core throws; PromptEvaluationError E708 if a layer does not call `next`, or calls it twice
 */
export async function runIntercepted<S, T>(
  layers: readonly Around<S, T>[],
  subject: S,
  core: Next<T>,
  what: string,
): Promise<T> {
  const enter = async (index: number): Promise<T> => {
    const around = layers[index];
    if (around === undefined) return core();
    let inner: Promise<T> | undefined;
    await around(subject, () => {
      if (inner !== undefined) throw createMisuseError(what, 'called next() twice');
      inner = enter(index + 1);
      // The layer may not await it.
      inner.catch(() => undefined);
      return inner;
    });
    if (inner === undefined) throw createMisuseError(what, 'did not call next()');
    return inner;
  };
  return enter(0);
}

function createMisuseError(what: string, problem: string): PromptEvaluationError {
  return new PromptEvaluationError(`An interceptor around ${what} ${problem}.`, { phase: 'tool', code: 'E708' });
}
