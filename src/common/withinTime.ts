import { createContext, Script } from 'node:vm';

/** A script that runs `call`, and the object whose member that is: only scripts have a limit of time. Made once, and when it is used. */
let prepared: { readonly script: Script; readonly globals: { call?: () => void } } | undefined;

/**
 * Runs synchronous code of others, which is ended after its time wherever it is, in a regular expression as well. Costs a thread
 * that watches, some 50 microseconds.
 *
 * @param limitMs time limit in milliseconds of the clock
 * @returns undefined if the time was over
 * @throws what `work` throws
 */
export function withinTime<T>(limitMs: number, work: () => T): { readonly value: T } | undefined {
  const { script, globals } = (prepared ??= { script: new Script('call()'), globals: createContext({}) });
  let done: { readonly value: T } | undefined;
  globals.call = (): void => {
    done = { value: work() };
  };
  try {
    script.runInContext(globals, { timeout: limitMs });
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  } finally {
    delete globals.call;
  }
  return done;
}
