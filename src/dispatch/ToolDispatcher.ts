import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import { admit, cancelled, isGuarded, stoppedAtStart, type Admission } from './admit/admission.js';
import { attempt } from './attempt/attempt.js';
import { callerAt } from './CallDetails.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import { copyOfParams } from './admit/copyOfParams.js';
import { finalise } from './finish/finalise.js';
import { restoreFeedback, scheduleFeedback } from './finish/giveFeedback.js';
import type { GuardedCall, IncomingCall } from './admit/IncomingCall.js';
import type { Dispatch } from './attempt/nestedCalls.js';
import { interceptedToolCall, observed } from './attempt/observed.js';
import { rejected, unknownTool, type CallResult } from './finish/outcomes.js';
import {
  parseArguments,
  parseLargeArguments,
  refusedArguments,
  rejectedParams,
  type ArgumentsOutcome,
} from './admit/parseArguments.js';
import { hasCallListeners } from './finish/publish.js';
import { rehearsed } from './rehearse/rehearsed.js';
import { receivedCall } from './admit/receivedCall.js';
import { retried } from './attempt/retried.js';
import { answerRequest } from './sectionRequests.js';

const FIRST: CallPlace = Object.freeze({});
const NO_REFUSALS: readonly never[] = Object.freeze([]);

/**
 * Runs one tool call as a transaction (docs/contract.md, 7). Its steps, each in a file of its own:
 *
 * 1. observe: interceptors see the call before anything happens (`observed.ts`)
 * 2. look up the tool, and parse the arguments (`parseArguments.ts`)
 * 3. check the deadline and the budget of the run (`admission.ts`)
 * 4. admit: ask the policies and the approver (`admission.ts`, `policies.ts`, `approval.ts`)
 * 5. attempt: run the handler in a transaction and commit (`attempt.ts`), and again if that is safe (`retried.ts`)
 * 6. answer a request for sections (`sectionRequests.ts`)
 * 7. finalise: render, record, give feedback, publish, return (`finalise.ts`, `giveFeedback.ts`, `publish.ts`)
 *
 * Each step that stops a call gives a `CallResult` (`outcomes.ts`). An error becomes one by the failure table
 * (`failurePolicy.ts`), which alone decides what escapes.
 */
export class ToolDispatcher {
  readonly #services: DispatchServices;
  readonly #nested: Dispatch = (call, run, place) => this.dispatch(call, run, place);

  constructor(services: DispatchServices) {
    this.#services = services;
  }

  /**
   * @throws PromptEvaluationError, VisibilityExpansionRequired, ApprovalPendingError, or the reason of the caller's signal
   */
  dispatch(given: ToolCall, run: CallRun, from: CallPlace = FIRST): Promise<ToolOutcome> {
    const { call, refusals, isLarge } = receivedCall(given);
    const place = refusals.length === 0 && !isLarge ? from : { ...from, refusals, isLarge };
    const observers = this.#services.interceptors.of('aroundCall');
    if (observers.length === 0) return this.#dispatch(call, run, place);
    const seen = interceptedToolCall(this.#services, call, run, place);
    return observed(observers, seen, () => this.#dispatch(call, run, place), this.#services, run);
  }

  /** Counts a call that is answered from a record: feedback then comes after the same calls as without the interruption. */
  recall({ name }: ToolCall, run: CallRun, spoke: readonly number[]): void {
    restoreFeedback(this.#services, run.rendered.toolsByName.get(name), run, spoke);
  }

  async #dispatch(call: ToolCall, run: CallRun, place: CallPlace): Promise<ToolOutcome> {
    const received = this.#receive(call, run, place);
    if (run.signal?.aborted === true) return finalise(this.#services, received, null, cancelled(received));
    if (!isKnown(received))
      return finalise(this.#services, received, rejectedParams(call), unknownTool(call.name, run));
    const { tool } = received;
    const parsing = this.#parse(received);
    const { parsed, incoming } = this.#withRepairs(received, parsing instanceof Promise ? await parsing : parsing);
    const stop = (params: unknown, callResult: CallResult) => finalise(this.#services, incoming, params, callResult);
    if (!parsed.ok) return stop(parsed.raw, rejected(tool, parsed.issues, parsed.repaired));
    const { params } = parsed;
    const stopped = stoppedAtStart(incoming);
    if (stopped !== undefined) return stop(params, stopped);
    run.budget?.recordToolCalls(1);
    const admission = isGuarded(incoming) ? await admit(this.#services, incoming, params) : undefined;
    if (admission !== undefined && 'kind' in admission) return stop(params, admission);
    const { record } = place;
    const begun = place.parentCall === undefined ? record?.begin(Number(place.position), tool) : undefined;
    if (begun !== undefined) await begun;
    const feedback = scheduleFeedback(this.#services, tool, run, place);
    const isShown = feedback !== undefined || hasCallListeners(this.#services, run);
    const given = isShown ? copyOfParams(incoming, params) : params;
    // The run's own events are held back meanwhile: the call would take them for changes from outside.
    run.observer?.enter();
    let callResult: CallResult;
    try {
      callResult = await this.#attempts(incoming, params, admission);
    } finally {
      run.observer?.leave();
    }
    const turns = place.program?.turns ?? place.turns;
    if (turns !== undefined) await turns.next();
    const isRequest = callResult.kind === 'expanded';
    const answered = isRequest ? await answerRequest(this.#services, incoming, callResult) : callResult;
    return finalise(this.#services, incoming, given, answered, feedback);
  }

  #receive(call: ToolCall, run: CallRun, place: CallPlace): IncomingCall {
    const tool = place.tool ?? run.rendered.toolsByName.get(call.name);
    const { clock, errorMask, redaction, repair, seals } = this.#services;
    const caller = callerAt(place);
    // Programs and handlers know their types.
    const isOfModel = caller === 'direct' && place.parentCall === undefined;
    return {
      ...{ call, run, tool, place },
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
    if (all.length > 0) return refusedArguments(tool.metadata, call, all);
    return (isLarge ? parseLargeArguments : parseArguments)(tool.metadata, call.arguments, reading);
  }

  /** The call with the repairs of its arguments, unless the secrets of the repaired arguments are too large. */
  #withRepairs(received: GuardedCall, parsed: ArgumentsOutcome): { parsed: ArgumentsOutcome; incoming: GuardedCall } {
    if (parsed.repaired === undefined) return { parsed, incoming: received };
    const { tool, call } = received;
    const incoming = this.#repaired(received, parsed.ok, parsed.repaired);
    const { refusal } = incoming.redaction ?? {};
    return { parsed: refusal === undefined ? parsed : refusedArguments(tool.metadata, call, [refusal]), incoming };
  }

  /** The call with what was repaired; if it runs, its secrets are those of the arguments that were meant. */
  #repaired(
    call: GuardedCall,
    isRead: boolean,
    { meant, repairs }: NonNullable<ArgumentsOutcome['repaired']>,
  ): GuardedCall {
    const redaction = isRead ? this.#services.redaction.ofCall(call.tool, meant) : call.redaction;
    return { ...call, repairs, redaction };
  }

  /** Runs the handler, and again while the rules of its tool allow it; what was approved stays so. */
  async #attempts(call: GuardedCall, params: unknown, admission: Admission | undefined): Promise<CallResult> {
    const first = await this.#attempt(call, params, 1, admission);
    if (first.kind === 'succeeded') return first;
    let before = admission;
    return retried(this.#services, call, first, async (attempt, last) => {
      // Parsed again: the attempt before may have changed its params.
      const parsed = parseArguments(call.tool.metadata, call.call.arguments, call.reading);
      if (!parsed.ok) return last;
      if (before !== undefined) {
        const admitted = await admit(this.#services, call, parsed.params, { admission: before, attempt });
        if ('kind' in admitted) return admitted;
        before = admitted;
      }
      return this.#attempt(call, parsed.params, attempt, before);
    });
  }

  #attempt(call: GuardedCall, params: unknown, number: number, admission: Admission | undefined): Promise<CallResult> {
    const rehearsal = call.run.rehearsal === undefined ? call : rehearsed(call);
    if ('kind' in rehearsal) return Promise.resolve(rehearsal);
    const around = this.#services.interceptors.of('aroundTool');
    const options = { number, admission, around, dispatch: this.#nested };
    return attempt(this.#services, rehearsal, params, options);
  }
}

function isKnown(call: IncomingCall): call is GuardedCall {
  return call.tool !== undefined;
}
