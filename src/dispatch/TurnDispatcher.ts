import { Turns } from '../common/TimeSlice.js';
import { MAX_TIMER_MS } from '../common/limits.js';
import type { Awaitable } from '../common/types.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ToolProgress } from '../event/ToolProgressed.js';
import { findFirstPositions, type ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import { ToolResult } from '../value/ToolResult.js';
import { mayRunTogether } from './admit/admitCall.js';
import type { Placement, DispatchContext } from './DispatchContext.js';
import type { RecordedAnswer } from './TurnRecord.js';
import { receiveCall, type Received } from './admit/receiveCall.js';
import { relayAbort } from './attempt/LinkedSignal.js';
import type { ToolDispatcher } from './ToolDispatcher.js';
import { describeNotStarted } from './finish/outcomeTexts.js';

/**
 * Runs the calls of one turn with the same outcome as if they ran in order: consecutive read-only calls run together, and every
 * other call waits for all before it (docs/contract.md, 7).
 */
export class TurnDispatcher {
  readonly turnMs: number;
  readonly #dispatcher: ToolDispatcher;

  constructor(dispatcher: ToolDispatcher, turnMs: number) {
    this.#dispatcher = dispatcher;
    this.turnMs = turnMs;
  }

  /**
   * Returns one outcome for each call, in call order. A repeated call gets the outcome of the first.
   *
   * @throws PromptEvaluationError when the turn takes too long, and every error of `ToolDispatcher.dispatch`; earlier calls keep
   * their effects, later ones do not start. After a call opens sections or adds tools, later calls are answered as not started, except for searches
   */
  async dispatch(
    calls: readonly ToolCall[],
    run: DispatchContext,
    place: TurnPlace = {},
  ): Promise<readonly ToolOutcome[]> {
    const limit = new AbortController();
    // Node fires longer timers at once.
    const timer = setTimeout(
      () => {
        const problem = `The calls of this turn took longer than ${String(this.turnMs)} ms.`;
        limit.abort(new PromptEvaluationError(problem, { phase: 'tool', code: 'E605' }));
      },
      Math.min(this.turnMs, MAX_TIMER_MS),
    );
    const { signal } = limit;
    const letGo = relayAbort(run.signal, limit);
    try {
      return await this.#dispatchInOrder(calls, { ...run, signal }, place);
    } finally {
      clearTimeout(timer);
      letGo();
    }
  }

  async #dispatchInOrder(
    given: readonly ToolCall[],
    run: DispatchContext,
    place: TurnPlace,
  ): Promise<readonly ToolOutcome[]> {
    const received = given.map(receiveCall);
    const first = findFirstPositions(received.map(({ call }) => call));
    const fresh = received
      .map((one, position) => ({ ...one, position }))
      .filter(({ position }) => first[position] === position);
    const outcomes = new Map<number, ToolOutcome>();
    // Checking the arguments of one call may take 40 ms.
    const turns = new Turns();
    let hasOpened = false;
    for (let start = 0; start < fresh.length;) {
      const group = takeGroup(fresh, start, run);
      start += group.length;
      if (hasOpened && !group.every(({ call }) => isSearch(call, run))) {
        await endNotStarted(group, place, outcomes);
        continue;
      }
      if (place.watcher !== undefined)
        for (const { call, position } of group)
          await place.watcher.onCallBegin(position, applyEdit(call, place.record?.answer(position)));
      // Calls that run together share a snapshot, so that all of them see a change from outside or none does.
      const here = group.length === 1 ? run : { ...run, session: run.session.createFrozen?.() ?? run.session };
      const settled = await Promise.allSettled(
        group.map((one) => this.#runCall(one, here, group.length > 1 ? { ...place, turns } : place, turns)),
      );
      for (const [index, outcome] of settled.entries()) {
        if (outcome.status === 'rejected') throw outcome.reason;
        const one = group[index];
        if (one !== undefined) outcomes.set(one.position, outcome.value);
        hasOpened ||= outcome.value.kind === 'expanded';
      }
    }
    return first.flatMap((position) => outcomes.get(position) ?? []);
  }

  async #runCall(
    { call, refusals, position }: PendingEntry,
    run: DispatchContext,
    place: TurnPlace,
    turns: Turns,
  ): Promise<ToolOutcome> {
    if (position > 0) await turns.next();
    const outcome = await this.#resolveOutcome(call, run, { ...place, refusals }, position);
    await place.watcher?.onCallEnd(position, call, outcome);
    return outcome;
  }

  /** Dispatches a call, unless an earlier process recorded its outcome. */
  async #resolveOutcome(
    call: ToolCall,
    run: DispatchContext,
    place: TurnPlace,
    position: number,
  ): Promise<ToolOutcome> {
    const reading = place.record?.serveRecorded(position, call, run.rendered.tool(call.name)?.metadata.onUnknown);
    const recorded = reading === undefined ? undefined : await reading;
    if (recorded === undefined) {
      const answered = place.record?.answer(position);
      try {
        const { watcher } = place;
        const onProgress = watcher && ((progress: ToolProgress) => watcher.onProgress(position, call, progress));
        const at = { ...place, ...(answered && placeAnswer(call, answered)), position: String(position), onProgress };
        return await this.#dispatcher.dispatch(applyEdit(call, answered), run, at);
      } catch (error) {
        await place.record?.drop(position);
        throw error;
      }
    }
    if (recorded.kind === 'expanded') place.expander?.recall(recorded.opened?.length ?? 0);
    if (recorded.kind !== 'unknown' && recorded.kind !== 'rejected') {
      run.budget?.recordToolCalls(1);
      this.#dispatcher.recall(call, run, place.record?.listSpoken(position) ?? []);
    }
    return recorded;
  }
}

/** Returns the part of a call's place that its answer decides. */
function placeAnswer(call: ToolCall, { edited, ...answer }: RecordedAnswer): Partial<Placement> {
  // The refusals are of the model's own arguments.
  return edited === undefined ? answer : { ...answer, asked: call, refusals: undefined };
}

/** Returns the call as it is made: with the arguments that a person approved in place of the model's, if there are any. */
function applyEdit(call: ToolCall, answered: RecordedAnswer | undefined): ToolCall {
  return answered?.edited === undefined ? call : { ...call, arguments: answered.edited };
}

/** Answers calls that the model wrote before it could read the sections that were just opened. */
async function endNotStarted(
  group: readonly PendingEntry[],
  { record, watcher }: TurnPlace,
  outcomes: Map<number, ToolOutcome>,
): Promise<void> {
  for (const { call, position } of group) {
    const text = describeNotStarted(call.name);
    const outcome: ToolOutcome = { kind: 'failed', result: ToolResult.error(text), text };
    outcomes.set(position, outcome);
    await record?.end(position, call, outcome, []);
    await watcher?.onCallEnd(position, call, outcome);
  }
}

/** Returns true for a call of the prompt's own search: several searches of one turn do not depend on each other. */
function isSearch({ name }: ToolCall, { rendered }: DispatchContext): boolean {
  return name === 'search_tools' && rendered.tool(name)?.sectionPath === '';
}

/** The parts of a run's turn that its calls share. */
export interface TurnPlace extends Pick<Placement, 'turn' | 'record' | 'expander' | 'refusals' | 'turns'> {
  readonly watcher?: TurnListener | undefined;
}

/** A call that is not a repetition, with its position in the answer. */
interface PendingEntry extends Received {
  readonly position: number;
}

/** Returns the next call, or all consecutive calls that may run together. */
function takeGroup(calls: readonly PendingEntry[], start: number, run: DispatchContext): readonly PendingEntry[] {
  const isOfMany = (one: PendingEntry | undefined): boolean => {
    const tool = one === undefined ? undefined : run.rendered.tool(one.call.name);
    return tool !== undefined && mayRunTogether(tool);
  };
  let end = start + 1;
  if (isOfMany(calls[start])) while (isOfMany(calls[end])) end++;
  return calls.slice(start, end);
}

/** Receives each call of a turn before and after it runs, with its position in the answer, and is awaited (docs/contract.md, 16). */
export interface TurnListener {
  /** Called before a call, or before each of a group that runs together. */
  onCallBegin(position: number, call: ToolCall): Awaitable<void>;
  /** Called with the progress of a handler, without secrets; not awaited. */
  onProgress(position: number, call: ToolCall, progress: ToolProgress): void;
  /** Called after each call, including calls that were not started. */
  onCallEnd(position: number, call: ToolCall, outcome: ToolOutcome): Awaitable<void>;
}
