import { isThenable } from '../common/classes.js';
import { mapAwaitable } from '../common/promises.js';
import type { Awaitable } from '../common/types.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import {
  admitCall,
  createCancelledResult,
  isGuarded,
  findStopAtStart,
  type Admission,
  copyParams,
} from './admit/admitCall.js';
import { attemptCall } from './attempt/Attempt.js';
import { getCaller } from './HandlerCallInfo.js';
import type { Placement, CallRun, DispatchServices } from './CallRun.js';
import { finishCall } from './finish/finishCall.js';
import { restoreFeedback, scheduleFeedback } from './finish/giveFeedback.js';
import type { GuardedCall, IncomingCall } from './admit/IncomingCall.js';
import type { Dispatch } from './attempt/createNestedDispatch.js';
import { createInterceptedToolCall, runObserved } from './attempt/runObserved.js';
import { createRejected, createUnknownTool, type AttemptResult } from './finish/outcomes.js';
import {
  parseArguments,
  parseLargeArguments,
  createRefusedArguments,
  createRejectedParams,
  type ArgumentsOutcome,
} from './admit/parseArguments.js';
import { hasCallListeners } from './finish/publishEvents.js';
import { prepareRehearsal } from './rehearse/prepareRehearsal.js';
import { receiveCall } from './admit/receiveCall.js';
import { retryAttempts } from './attempt/retryAttempts.js';
import { answerRequest } from './sectionRequests.js';

const FIRST: Placement = Object.freeze({});
const NO_REFUSALS: readonly never[] = Object.freeze([]);

/**
 * Runs one tool call as a transaction (docs/contract.md, 7). Each step has its own file:
 *
 * 1. let interceptors observe the call before anything happens (`runObserved.ts`)
 * 2. look up the tool and parse the arguments (`parseArguments.ts`)
 * 3. check the run's deadline and budget (`admitCall.ts`)
 * 4. ask the policies and the approver (`admitCall.ts`, `askPolicies.ts`, `askApprover.ts`)
 * 5. run the handler in a transaction and commit it (`attempt/Attempt.ts`); repeat that if it is safe (`retryAttempts.ts`)
 * 6. answer a request for sections (`sectionRequests.ts`)
 * 7. render, record, add feedback, publish and return (`finishCall.ts`, `giveFeedback.ts`, `publishEvents.ts`)
 *
 * A step that stops the call returns an `AttemptResult` (`outcomes.ts`). The failure table (`createFailureResult.ts`) turns
 * errors into results, and is the only place that decides which errors escape.
 */
export class ToolDispatcher {
  readonly #services: DispatchServices;
  readonly #nested: Dispatch = (call, run, place) => this.dispatch(call, run, place);

  constructor(services: DispatchServices) {
    this.#services = services;
  }

  /** @throws PromptEvaluationError, VisibilityExpansionRequired, ApprovalPendingError, or the reason of the caller's signal */
  dispatch(given: ToolCall, run: CallRun, from: Placement = FIRST): Promise<ToolOutcome> {
    const { call, refusals, isLarge } = receiveCall(given);
    const place = refusals.length === 0 && !isLarge ? from : { ...from, refusals, isLarge };
    const observers = this.#services.interceptors.of('aroundCall');
    if (observers.length === 0) return this.#dispatch(call, run, place);
    const seen = createInterceptedToolCall(this.#services, call, run, place);
    return runObserved(observers, seen, () => this.#dispatch(call, run, place), this.#services, run);
  }

  /** Counts a call that is answered from a record, so that feedback follows the same calls as without the interruption. */
  recall({ name }: ToolCall, run: CallRun, spoke: readonly number[]): void {
    restoreFeedback(this.#services, run.rendered.toolsByName.get(name), run, spoke);
  }

  async #dispatch(call: ToolCall, run: CallRun, place: Placement): Promise<ToolOutcome> {
    const received = this.#receive(call, run, place);
    if (run.signal?.aborted === true)
      return finishCall(this.#services, received, null, createCancelledResult(received));
    if (!isKnown(received))
      return finishCall(this.#services, received, createRejectedParams(call), createUnknownTool(call.name, run));
    const { tool } = received;
    const parsing = this.#parse(received);
    const { parsed, incoming } = this.#withRepairs(received, parsing instanceof Promise ? await parsing : parsing);
    if (!parsed.ok) {
      const rejected = createRejected(tool, parsed.issues, parsed.repaired);
      return finishCall(this.#services, incoming, parsed.raw, rejected);
    }
    const { params } = parsed;
    const stopped = findStopAtStart(incoming);
    if (stopped !== undefined) return finishCall(this.#services, incoming, params, stopped);
    run.budget?.recordToolCalls(1);
    const admission = isGuarded(incoming) ? await admitCall(this.#services, incoming, params) : undefined;
    if (admission !== undefined && 'kind' in admission) return finishCall(this.#services, incoming, params, admission);
    const { record } = place;
    const begun = place.parentCall === undefined ? record?.begin(Number(place.position), tool) : undefined;
    if (begun !== undefined) await begun;
    const feedback = scheduleFeedback(this.#services, tool, run, place);
    const isShown = feedback !== undefined || hasCallListeners(this.#services, run);
    const given = isShown ? copyParams(incoming, params) : params;
    // Holds the run's own events back: the call would see them as changes from outside.
    run.observer?.enter();
    let callResult: AttemptResult;
    try {
      const attempts = this.#runAttempts(incoming, params, admission);
      callResult = isThenable(attempts) ? await attempts : attempts;
    } finally {
      run.observer?.leave();
    }
    const turns = place.program?.turns ?? place.turns;
    if (turns !== undefined) await turns.next();
    const isRequest = callResult.kind === 'expanded';
    const answered = isRequest ? await answerRequest(this.#services, incoming, callResult) : callResult;
    return finishCall(this.#services, incoming, given, answered, feedback);
  }

  #receive(call: ToolCall, run: CallRun, place: Placement): IncomingCall {
    const tool = place.tool ?? run.rendered.toolsByName.get(call.name);
    const { clock, errorMask, redaction, repair, seals } = this.#services;
    const caller = getCaller(place);
    // Programs and handlers know the types, so their arguments are not repaired.
    const isOfModel = caller === 'direct' && place.parentCall === undefined;
    return {
      call,
      run,
      tool,
      place,
      startedAt: clock.monotonic(),
      seals,
      errorMask,
      redaction: redaction.ofCall(tool, call.arguments, run.rendered.toolsByName),
      reading: { caller, repair: isOfModel ? repair : 'off' },
    };
  }

  /** Parses the arguments of a call, unless they or their secrets are too large. */
  #parse({ tool, call, reading, place, redaction }: GuardedCall): ArgumentsOutcome | Promise<ArgumentsOutcome> {
    const { refusals = NO_REFUSALS, isLarge = false } = place;
    const all = redaction?.refusal === undefined ? refusals : [...refusals, redaction.refusal];
    if (all.length > 0) return createRefusedArguments(tool.metadata, call, all);
    return (isLarge ? parseLargeArguments : parseArguments)(tool.metadata, call.arguments, reading);
  }

  /** Adds the repairs of the arguments to a call; refuses arguments that, once repaired, hold too many secrets. */
  #withRepairs(received: GuardedCall, parsed: ArgumentsOutcome): { parsed: ArgumentsOutcome; incoming: GuardedCall } {
    if (parsed.repaired === undefined) return { parsed, incoming: received };
    const { tool, call } = received;
    const incoming = this.#applyRepairs(received, parsed.ok, parsed.repaired);
    const { refusal } = incoming.redaction ?? {};
    return {
      parsed: refusal === undefined ? parsed : createRefusedArguments(tool.metadata, call, [refusal]),
      incoming,
    };
  }

  /** Returns the call with its repairs; if it runs, its secrets are taken from the repaired arguments. */
  #applyRepairs(
    call: GuardedCall,
    isRead: boolean,
    { meant, repairs }: NonNullable<ArgumentsOutcome['repaired']>,
  ): GuardedCall {
    const redaction = isRead ? this.#services.redaction.ofCall(call.tool, meant) : call.redaction;
    return { ...call, repairs, redaction };
  }

  /** Runs the handler, and repeats it while the tool's rules allow; an approval stays valid. */
  #runAttempts(call: GuardedCall, params: unknown, admission: Admission | undefined): Awaitable<AttemptResult> {
    return mapAwaitable(this.#runAttempt(call, params, 1, admission), (first) =>
      first.kind === 'succeeded' ? first : this.#retry(call, first, admission),
    );
  }

  #retry(call: GuardedCall, first: AttemptResult, admission: Admission | undefined): Awaitable<AttemptResult> {
    let before = admission;
    return retryAttempts(this.#services, call, first, async (attempt, last) => {
      // Parsed again: the previous attempt may have changed its params.
      const parsed = parseArguments(call.tool.metadata, call.call.arguments, call.reading);
      if (!parsed.ok) return last;
      if (before !== undefined) {
        const admitted = await admitCall(this.#services, call, parsed.params, { admission: before, attempt });
        if ('kind' in admitted) return admitted;
        before = admitted;
      }
      return this.#runAttempt(call, parsed.params, attempt, before);
    });
  }

  #runAttempt(
    call: GuardedCall,
    params: unknown,
    number: number,
    admission: Admission | undefined,
  ): Awaitable<AttemptResult> {
    const rehearsal = call.run.rehearsal === undefined ? call : prepareRehearsal(call);
    if ('kind' in rehearsal) return rehearsal;
    const around = this.#services.interceptors.of('aroundTool');
    const options = { number, admission, around, dispatch: this.#nested };
    return attemptCall(this.#services, rehearsal, params, options);
  }
}

function isKnown(call: IncomingCall): call is GuardedCall {
  return call.tool !== undefined;
}
