import { PromptEvaluationError } from '../error/PromptError.js';
import type { Next } from '../interface/Interceptor.js';

/** One layer of the onion. */
export type Layer<T> = (next: Next<T>) => Promise<unknown>;

/**
 * Runs the core within the layers, the first outermost. What comes from within a layer counts, whatever the layer returns or
 * swallows; a layer that throws by itself denies.
 *
 * @throws what a layer or the core throws; PromptEvaluationError E708 when a layer calls `next` not at all, or twice
 */
export async function intercepted<T>(layers: readonly Layer<T>[], core: Next<T>, what: string): Promise<T> {
  const enter = async (index: number): Promise<T> => {
    const layer = layers[index];
    if (layer === undefined) return core();
    let inner: Promise<T> | undefined;
    await layer(() => {
      if (inner !== undefined) throw misuse(what, 'called next() twice');
      inner = enter(index + 1);
      // The layer may never look at it.
      inner.catch(() => undefined);
      return inner;
    });
    if (inner === undefined) throw misuse(what, 'did not call next()');
    return inner;
  };
  return enter(0);
}

function misuse(what: string, problem: string): PromptEvaluationError {
  return new PromptEvaluationError(`An interceptor around ${what} ${problem}.`, { phase: 'tool', code: 'E708' });
}
