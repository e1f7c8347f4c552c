import { createContext, Script, type Context } from 'node:vm';
import { lazy } from '../../../common/lazy.js';

const script = lazy(() => new Script('act()'));
const room = lazy((): Context => createContext({ act: undefined }));

/**
 * Runs work whose duration depends on a server's schema, with a time limit: patterns and recursive unions can make a check of a
 * short text take years. The context is not a security boundary here; it is used because it has a time limit.
 *
 * @param milliseconds of elapsed time, which also pass while a busy machine does other work
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
