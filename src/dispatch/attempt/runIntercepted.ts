import { PromptEvaluationError } from '../../error/PromptError.js';
import type { Next } from '../../interface/Interceptor.js';

export type Around<S, T> = (subject: S, next: Next<T>) => Promise<unknown>;

/**
 * Runs the core within the layers, outermost first. The result or error from inside a layer counts, whatever the layer returns or
 * catches; an error that a layer itself throws denies the call.
 *
 * @param name the subject, for error messages
 * @throws the error of a layer or the core; PromptEvaluationError E708 if a layer does not call `next`, or calls it twice
 */
export async function runIntercepted<S, T>(
  layers: readonly Around<S, T>[],
  subject: S,
  core: Next<T>,
  name: string,
): Promise<T> {
  const enter = async (index: number): Promise<T> => {
    const around = layers[index];
    if (around === undefined) return core();
    let inner: Promise<T> | undefined;
    await around(subject, () => {
      if (inner !== undefined) throw createMisuseError(name, 'called next() twice');
      inner = enter(index + 1);
      // The layer may not await it, and an unhandled rejection would end the process.
      inner.catch(() => undefined);
      return inner;
    });
    if (inner === undefined) throw createMisuseError(name, 'did not call next()');
    return inner;
  };
  return enter(0);
}

function createMisuseError(name: string, problem: string): PromptEvaluationError {
  return new PromptEvaluationError(`An interceptor around ${name} ${problem}.`, { phase: 'tool', code: 'E708' });
}
