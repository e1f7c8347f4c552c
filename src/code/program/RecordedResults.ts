import type { ToolHints } from '../../metadata/args/ToolMetadataArgs.js';
import type { ProgramCall } from '../ExecutionResult.js';

/**
 * Results of read-only calls of a program that was paused: its re-run is served with them, each once, so that it comes to the
 * same call again.
 */
export class RecordedResults {
  readonly #results = new Map<string, string[]>();

  constructor(calls: readonly ProgramCall[]) {
    for (const { name, args, status, result } of calls) {
      if (status !== 'ok') continue;
      const key = keyOf(name, args);
      this.#results.set(key, [...(this.#results.get(key) ?? []), JSON.stringify(result ?? null)]);
    }
  }

  /** The result as JSON text; undefined when the call has to run. */
  take(name: string, hints: ToolHints, args: ProgramCall['args']): string | undefined {
    return hints.readOnly === true ? this.#results.get(keyOf(name, args))?.shift() : undefined;
  }
}

function keyOf(name: string, args: ProgramCall['args']): string {
  return JSON.stringify([name, Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))]);
}
