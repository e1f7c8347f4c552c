import { isThenable } from '../common/classes.js';
import type { Awaitable } from '../common/types.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import {
  admitCall,
  createCancelledResult,
  isGuarded,
  findStopAtStart,
  rejectArguments,
  type Admission,
} from './admit/admitCall.js';
import { copyParams } from './admit/JudgedCall.js';
import { getCaller } from './HandlerCallInfo.js';
import type { Placement, DispatchContext, DispatchServices } from './DispatchContext.js';
import { finishCall } from './finish/finishCall.js';
import { restoreFeedback, scheduleFeedback, type ScheduledFeedback } from './finish/giveFeedback.js';
import type { GuardedCall, IncomingCall } from './admit/IncomingCall.js';
import type { Dispatch } from './attempt/createNestedDispatch.js';
import { createInterceptedToolCall, runObserved } from './attempt/runObserved.js';
import { createUnknownTool, type AttemptResult } from './finish/outcomes.js';
import {
  parseArguments,
  parseLargeArguments,
  createRefusedArguments,
  createRejectedParams,
  type ArgumentsOutcome,
  type ParsedArguments,
} from './admit/parseArguments.js';
import { hasCallListeners } from './finish/publishEvents.js';
import { receiveCall } from './admit/receiveCall.js';
import { runAttempts } from './attempt/runAttempts.js';
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
 * 5. run the handler in a transaction and commit it (`attempt/Attempt.ts`); repeat that if it is safe (`runAttempts.ts`)
 * 6. answer a request for sections (`sectionRequests.ts`)
 * 7. render, record, add feedback, publish and return (`finishCall.ts`, `giveFeedback.ts`, `publishEvents.ts`)
 *
 * A step that stops the call returns an `AttemptResult` (`outcomes.ts`). `createFailureResult.ts` turns errors into results, and is
 * the only place that decides which errors escape.
 */
export class ToolDispatcher {
  readonly #services: DispatchServices;
  readonly #nested: Dispatch = (call, run, place) => this.dispatch(call, run, place);

  constructor(services: DispatchServices) {
    this.#services = services;
  }

  /**
   * Returns the outcome at once if nothing of the call takes time: a promise costs as much as a tenth of a small call.
   *
   * @throws PromptEvaluationError, VisibilityExpansionRequired, ApprovalPendingError, or the reason of the caller's signal
   */
  dispatch(given: ToolCall, run: DispatchContext, from: Placement = FIRST): Awaitable<ToolOutcome> {
    const { call, refusals, isLarge } = receiveCall(given);
    const place = refusals.length === 0 && !isLarge ? from : { ...from, refusals, isLarge };
    const observers = this.#services.interceptors.of('aroundCall');
    return observers.length === 0
      ? this.#dispatch(call, run, place)
      : this.#dispatchObserved(observers, call, run, place);
  }

  /** Counts a call that is answered from a record, so that feedback follows the same calls as without the interruption. */
  recall({ name }: ToolCall, run: DispatchContext, spoke: readonly number[]): void {
    restoreFeedback(this.#services, run.rendered.toolsByName.get(name), run, spoke);
  }

  #dispatchObserved(
    observers: Parameters<typeof runObserved>[0],
    call: ToolCall,
    run: DispatchContext,
    place: Placement,
  ): Promise<ToolOutcome> {
    const seen = createInterceptedToolCall(this.#services, call, run, place);
    return runObserved(observers, seen, async () => this.#dispatch(call, run, place), this.#services, run);
  }

  #dispatch(call: ToolCall, run: DispatchContext, place: Placement): Awaitable<ToolOutcome> {
    const received = this.#receive(call, run, place);
    if (run.signal?.aborted === true) return finishCall(received, null, createCancelledResult(received));
    if (!isKnown(received)) return finishCall(received, createRejectedParams(call), createUnknownTool(call.name, run));
    const parsing = this.#parse(received);
    return isThenable(parsing)
      ? parsing.then((parsed) => this.#repair(received, parsed))
      : this.#repair(received, parsing);
  }

  /** Adds the repairs of the arguments to a call; refuses arguments that, once repaired, hold too many secrets. */
  #repair(received: GuardedCall, parsed: ArgumentsOutcome): Awaitable<ToolOutcome> {
    if (parsed.repaired === undefined) return this.#admit(received, parsed);
    const { tool, call } = received;
    const { meant, repairs } = parsed.repaired;
    // The secrets of a call that runs are taken from the repaired arguments.
    const redaction = parsed.ok ? this.#services.redaction.ofCall(tool, meant) : received.redaction;
    const refusal = redaction?.refusal;
    const allowed = refusal === undefined ? parsed : createRefusedArguments(tool.metadata, call, [refusal]);
    return this.#admit({ ...received, repairs, redaction }, allowed);
  }

  #admit(call: GuardedCall, parsed: ArgumentsOutcome): Awaitable<ToolOutcome> {
    if (!parsed.ok) return finishCall(call, parsed.raw, rejectArguments(call, parsed));
    const { params } = parsed;
    const stopped = findStopAtStart(call);
    if (stopped !== undefined) return finishCall(call, params, stopped);
    call.run.budget?.recordToolCalls(1);
    return call.reading.isJudged === true ? this.#judge(call, parsed) : this.#begin(call, params, undefined);
  }

  async #judge(call: GuardedCall, parsed: ParsedArguments): Promise<ToolOutcome> {
    const admission = await admitCall(call, parsed);
    return 'kind' in admission
      ? finishCall(call, parsed.params, admission)
      : this.#begin(call, parsed.params, admission);
  }

  #begin(call: GuardedCall, params: unknown, admission: Admission | undefined): Awaitable<ToolOutcome> {
    const { parentCall, record, position } = call.place;
    const begun = parentCall === undefined ? record?.begin(Number(position), call.tool) : undefined;
    return begun === undefined
      ? this.#run(call, params, admission)
      : begun.then(() => this.#run(call, params, admission));
  }

  #run(call: GuardedCall, params: unknown, admission: Admission | undefined): Awaitable<ToolOutcome> {
    const { run } = call;
    const feedback = scheduleFeedback(call);
    const isShown = feedback !== undefined || hasCallListeners(this.#services, run);
    const given = isShown ? copyParams(call, params) : params;
    // Holds the run's own events back: the call would see them as changes from outside.
    run.observer?.enter();
    let attempts: Awaitable<AttemptResult>;
    try {
      attempts = runAttempts(call, params, { number: 1, admission, dispatch: this.#nested });
    } catch (thrown) {
      run.observer?.leave();
      throw thrown;
    }
    return isThenable(attempts)
      ? this.#finishLater(call, given, attempts, feedback)
      : this.#finish(call, given, attempts, feedback);
  }

  /** Apart from `#run`, where a closure would cost calls that wait for nothing, too. */
  #finishLater(
    call: GuardedCall,
    params: unknown,
    attempts: Promise<AttemptResult>,
    feedback: ScheduledFeedback | undefined,
  ): Promise<ToolOutcome> {
    return attempts.then(
      (callResult) => this.#finish(call, params, callResult, feedback),
      (thrown: unknown) => {
        call.run.observer?.leave();
        throw thrown;
      },
    );
  }

  #finish(
    call: GuardedCall,
    params: unknown,
    callResult: AttemptResult,
    feedback: ScheduledFeedback | undefined,
  ): Awaitable<ToolOutcome> {
    call.run.observer?.leave();
    const { program, turns } = call.place;
    return (program?.turns ?? turns) === undefined && callResult.kind !== 'expanded'
      ? finishCall(call, params, callResult, feedback)
      : this.#finishInTurn(call, params, callResult, feedback);
  }

  /** Finishes a call that waits for its turn, or that asked for sections. */
  async #finishInTurn(
    call: GuardedCall,
    params: unknown,
    callResult: AttemptResult,
    feedback: ScheduledFeedback | undefined,
  ): Promise<ToolOutcome> {
    await (call.place.program?.turns ?? call.place.turns)?.next();
    const isRequest = callResult.kind === 'expanded';
    const answered = isRequest ? await answerRequest(call, callResult) : callResult;
    return finishCall(call, params, answered, feedback);
  }

  #receive(call: ToolCall, run: DispatchContext, given: Placement): IncomingCall {
    const place = applyDenial(call, run, given);
    const tool = place.tool ?? run.rendered.toolsByName.get(call.name);
    const { clock, redaction, repair } = this.#services;
    const caller = getCaller(place);
    // Programs, handlers and people know the types, so their arguments are not repaired.
    const isOfModel = caller === 'direct' && place.parentCall === undefined && place.asked === undefined;
    return {
      services: this.#services,
      call,
      run,
      tool,
      place,
      startedAt: clock.monotonic(),
      redaction: redaction.ofCall(tool, call.arguments, run.rendered.toolsByName),
      reading: { caller, repair: isOfModel ? repair : 'off', isJudged: tool !== undefined && isGuarded(tool, place) },
    };
  }

  /** Parses the arguments of a call, unless they or their secrets are too large. */
  #parse({ tool, call, reading, place, redaction }: GuardedCall): ArgumentsOutcome | Promise<ArgumentsOutcome> {
    const { refusals = NO_REFUSALS, isLarge = false } = place;
    const all = redaction?.refusal === undefined ? refusals : [...refusals, redaction.refusal];
    if (all.length > 0) return createRefusedArguments(tool.metadata, call, all);
    return (isLarge ? parseLargeArguments : parseArguments)(tool.metadata, call.arguments, reading);
  }
}

/**
 * Denies a call that a person has denied before. A reply to the question about this very call counts more, unless the denial holds
 * until it is lifted: otherwise, other arguments in an approval could go around it.
 */
function applyDenial(call: ToolCall, { findDenial }: DispatchContext, place: Placement): Placement {
  const denial = place.answer?.kind === 'denied' ? undefined : findDenial?.(call);
  if (denial === undefined || (place.answer !== undefined && denial.until === 'message')) return place;
  return { ...place, answer: { kind: 'denied', reason: denial.reason }, denial };
}

function isKnown(call: IncomingCall): call is GuardedCall {
  return call.tool !== undefined;
}
