import { createContext, Script, type Context } from 'node:vm';
import { lazy } from '../../../common/lazy.js';

const script = lazy(() => new Script('act()'));
const room = lazy((): Context => createContext({ act: undefined }));

/**
 * Runs what a server's schema decides the length of, and ends it when its time is over: patterns and unions that lead back to
 * themselves can make a check of little text take years. The context is no boundary here; it is what comes with a time limit.
 *
 * @param milliseconds by the clock: on a busy machine they pass while nothing is done
 * @throws what `act` throws; an Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when the time is over
 */
export function watched<T>(milliseconds: number, act: () => T): T {
  let result: { readonly value: T } | undefined;
  const context = room();
  context['act'] = () => {
    result = { value: act() };
  };
  try {
    script().runInContext(context, { timeout: milliseconds });
  } finally {
    context['act'] = undefined;
  }
  return (result as unknown as { readonly value: T }).value;
}
