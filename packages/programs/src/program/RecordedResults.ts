import type { ToolHints } from 'toolwright';
import type { ProgramCall } from '../ExecutionResult.js';

/** A result as JSON text; undefined for `undefined`. */
interface RecordedResult {
  readonly json: string | undefined;
}

/**
 * Results of the read-only calls of a paused program. Each is replayed once when the program runs again, so that it reaches the
 * same call.
 */
export class RecordedResults {
  readonly #results = new Map<string, RecordedResult[]>();

  constructor(calls: readonly ProgramCall[]) {
    for (const { name, args, status, result } of calls) {
      if (status !== 'ok') continue;
      const key = keyOf(name, args);
      const results = this.#results.get(key) ?? [];
      this.#results.set(key, results);
      results.push({ json: JSON.stringify(result) });
    }
  }

  /** Takes the next recorded result; undefined if the call has to run. */
  take(name: string, hints: ToolHints, args: ProgramCall['args']): RecordedResult | undefined {
    return hints.readOnly === true ? this.#results.get(keyOf(name, args))?.shift() : undefined;
  }
}

function keyOf(name: string, args: ProgramCall['args']): string {
  return JSON.stringify([name, Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))]);
}
