import { messageOf } from '../../common/text.js';
import { mayRunTogether } from '../../dispatch/admit/admitCall.js';
import { Sequencer } from '../../dispatch/admit/Sequencer.js';
import { BudgetExceededError } from '../../error/BudgetExceededError.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { requireOptionNames, type OptionNames } from '../../error/optionNames.js';
import { createPlacedError } from '../../error/ToolwrightError.js';
import { listExampleInputs } from '../../evaluate/conversation/prefix/conversationTools.js';
import { callOptionForms } from '../../evaluate/check/runOptionForms.js';
import type { CallOptions } from '../../evaluate/RunOptions.js';
import { BudgetTracker } from '../../limit/BudgetTracker.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import { Session } from '../../session/Session.js';
import { readArguments, type ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { getApplicationParts, type Application } from '../Application.js';
import { isRendering, nameOf } from '../../evaluate/check/requireArguments.js';

/** Options of tools for your own loop. All its calls share session, deadline and budget. */
export interface OwnLoopOptions extends CallOptions {
  /**
   * Called with an error that a call is about to throw, such as `VisibilityExpansionRequired` or
   * `ApprovalPendingError`. Several frameworks report every error of a tool to the model and continue: abort their loop
   * here.
   */
  readonly onLeave?: ((error: unknown) => void) | undefined;
}

const optionNames: OptionNames<OwnLoopOptions> = { ...callOptionForms, onLeave: 1 };

/** A call of an external loop. A call without an id gets one. */
export interface ExternalCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** A call, always with an id, and its outcome. */
export interface CompletedOutcome {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
}

/**
 * Runs the calls of a loop outside Toolwright. Each runs like one of `app.callTool`, and concurrent calls have the
 * effects of running them one after the other (decision 33).
 */
export class OwnLoopHandler {
  readonly rendered: RenderedPrompt;
  readonly #app: Application;
  readonly #options: CallOptions;
  readonly #tracker: BudgetTracker | undefined;
  readonly #onLeave: OwnLoopOptions['onLeave'];
  readonly #order = new Sequencer();

  /**
   * @param place the function that errors name
   * @throws ToolwrightError E722, PromptError E413
   */
  constructor(place: string, app: Application, rendered: RenderedPrompt, options: OwnLoopOptions = {}) {
    refuseOthers(place, app, rendered);
    requireOptionNames(place, options, optionNames);
    const { onLeave, session = new Session(), budget, ...rest } = options;
    // Created once: with a new session or tracker for each call, the effects of earlier calls would be lost.
    const tracker = budget === undefined || budget instanceof BudgetTracker ? budget : new BudgetTracker(budget);
    this.rendered = rendered;
    this.#app = app;
    this.#tracker = tracker;
    this.#options = { ...rest, session, budget: tracker };
    this.#onLeave = onLeave;
  }

  /**
   * Runs one call, after earlier ones that it may not run together with.
   *
   * @param signal of this call, in addition to the signal of the loop
   * @throws the errors of `app.callTool`
   */
  async call(given: ExternalCall, signal?: AbortSignal | null): Promise<ToolOutcome> {
    const { outcome } = await this.runCall(given, signal);
    return outcome;
  }

  /** Runs one call, as `call` does, for a loop that writes the answer itself. */
  async runCall(given: ExternalCall, signal?: AbortSignal | null): Promise<CompletedOutcome> {
    const call = this.#read(given);
    const tool = this.rendered.tool(call.name);
    const outcome = await this.#reportFailure(() =>
      this.#order.run(tool === undefined || mayRunTogether(tool), () => {
        this.#refuseBeyond(1);
        return this.#app.callTool(this.rendered, call, this.#combineOptions(signal));
      }),
    );
    return { call, outcome };
  }

  /**
   * Runs the calls of one turn and returns an outcome for each; a call that the provider sent twice runs once.
   *
   * @throws the errors of `app.callTools`
   */
  runTurn(given: readonly ExternalCall[], signal?: AbortSignal | null): Promise<readonly CompletedOutcome[]> {
    const calls = given.map((call) => this.#read(call));
    const [first] = calls;
    if (first === undefined) return Promise.resolve([]);
    return this.#reportFailure(async () => {
      const outcomes = await this.#order.run(false, (): Promise<readonly ToolOutcome[]> => {
        this.#refuseBeyond(calls.length);
        return this.#app.callTools(this.rendered, calls, this.#combineOptions(signal));
      });
      return outcomes.map((outcome, index) => ({ call: calls[index] ?? first, outcome }));
    });
  }

  /** Returns the example inputs of a tool as a model would write them. */
  examplesOf(tool: RenderedTool | undefined): readonly Readonly<Record<string, unknown>>[] {
    return tool === undefined ? [] : listExampleInputs(tool.metadata);
  }

  /** Reads a call. Accepts malformed calls: the outcome tells the model what is wrong. */
  #read({ id, name, arguments: given }: ExternalCall): ToolCall {
    return {
      id: typeof id === 'string' && id !== '' ? id : getApplicationParts(this.#app).services.ids(),
      name: typeof name === 'string' ? name : '',
      arguments: readArguments(given),
    };
  }

  #combineOptions(signal: AbortSignal | null | undefined): CallOptions {
    const own = this.#options.signal;
    if (signal === undefined || signal === null) return this.#options;
    return { ...this.#options, signal: own === undefined ? signal : AbortSignal.any([own, signal]) };
  }

  /** Checks the budget, as the loop of a run does. An external loop does not. */
  #refuseBeyond(calls: number): void {
    try {
      this.#tracker?.check();
      const most = this.#tracker?.budget.maxToolCalls ?? Infinity;
      const made = this.#tracker?.toolCalls ?? 0;
      if (made + calls <= most) return;
      const problem = `The budget allows ${String(most)} tool calls; ${String(made)} were used, and ${String(calls)} more were requested.`;
      throw new BudgetExceededError('tool_calls', problem);
    } catch (cause) {
      if (!(cause instanceof BudgetExceededError)) throw cause;
      throw new PromptEvaluationError(cause.message, { phase: 'budget', code: 'E704', cause });
    }
  }

  /** Calls `onLeave` with the error of a run. An error of the listener must not replace that error. */
  async #reportFailure<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      try {
        this.#onLeave?.(error);
      } catch (fault) {
        getApplicationParts(this.#app).services.logger.error(`onLeave failed: ${messageOf(fault)}`, { error: fault });
      }
      throw error;
    }
  }
}

function refuseOthers(place: string, app: unknown, rendered: unknown): void {
  const isApp = typeof (app as Partial<Application> | undefined)?.callTools === 'function';
  if (isApp && isRendering(rendered)) return;
  const problem = isApp
    ? `expected a rendering as the second argument, got ${nameOf(rendered)}`
    : `expected an application as the first argument, got ${nameOf(app)}`;
  throw createPlacedError(problem, { code: 'E722', place });
}
