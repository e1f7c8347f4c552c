import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { CallRun } from './CallRun.js';
import type { ToolDispatcher } from './ToolDispatcher.js';

/**
 * Runs the calls of one turn with the effects and answers of running them in call order: consecutive read-only calls run
 * together, every other call is a barrier (runtime contract, 7).
 */
export class TurnDispatcher {
  readonly #dispatcher: ToolDispatcher;

  constructor(dispatcher: ToolDispatcher) {
    this.#dispatcher = dispatcher;
  }

  /**
   * One outcome for each call, in call order. A call whose id was met before gets the first one's outcome.
   *
   * @throws what `ToolDispatcher.dispatch` throws; earlier calls keep their effects, later ones do not start
   */
  async dispatch(calls: readonly ToolCall[], run: CallRun): Promise<readonly ToolOutcome[]> {
    const outcomes = new Map<string, ToolOutcome>();
    const fresh = calls.filter((call, index) => calls.findIndex(({ id }) => id === call.id) === index);
    for (let start = 0; start < fresh.length;) {
      const group = this.#group(fresh, start, run);
      start += group.length;
      const settled = await Promise.allSettled(group.map((call) => this.#dispatcher.dispatch(call, run)));
      for (const [index, outcome] of settled.entries()) {
        if (outcome.status === 'rejected') throw outcome.reason;
        outcomes.set(group[index]?.id ?? '', outcome.value);
      }
    }
    return calls.flatMap(({ id }) => outcomes.get(id) ?? []);
  }

  /** The next call, or all read-only calls that follow each other. */
  #group(calls: readonly ToolCall[], start: number, run: CallRun): readonly ToolCall[] {
    const reads = (call: ToolCall | undefined): boolean =>
      call !== undefined && run.rendered.tool(call.name)?.hints.readOnly === true;
    let end = start + 1;
    if (reads(calls[start])) while (reads(calls[end])) end++;
    return calls.slice(start, end);
  }
}
