import type { AsyncCloseable, AbstractConstructor, Constructor } from '../common/types.js';
import { className } from '../common/classes.js';
import { waitAtMost } from '../common/promises.js';
import type { PendingCall } from '../error/ApprovalPendingError.js';
import { ResourceCloseError, ResourceError } from '../error/infrastructureErrors.js';
import { createPromptError } from '../error/PromptError.js';
import type { ApprovalDecision } from '../interface/Approver.js';
import { readContinuation } from '../dispatch/admit/pendingCall.js';
import type { ToolDispatcher } from '../dispatch/ToolDispatcher.js';
import type { TurnDispatcher } from '../dispatch/TurnDispatcher.js';
import type { ModelServices } from '../evaluate/ask/askModel.js';
import { createRun } from '../evaluate/createRun.js';
import { evaluatePrompt } from '../evaluate/evaluatePrompt.js';
import { requireApproval } from '../evaluate/check/requireReply.js';
import type { CallOptions, EvaluateOptions, PromptResponse } from '../evaluate/RunOptions.js';
import type { ResourceScope } from '../interface/ResourceBinding.js';
import type { EventBus } from '../event/EventBus.js';
import type { OutputReader } from '../builder/OutputReader.js';
import { MAX_CLOSE_MS } from '../common/limits.js';
import type { OutputIn, ChosenOutput, OutputReference } from '../metadata/args/OutputReference.js';
import { PromptStream } from '../evaluate/stream/PromptStream.js';
import type { RunListener } from '../evaluate/stream/RunEmitter.js';
import type { BoundPrompt } from '../prompt/BoundPrompt.js';
import type { CloseFault } from '../resource/ResourcePool.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { Lifetime } from './Lifetime.js';
import {
  requireCall,
  requireCallOptions,
  requireCalls,
  requireRendering,
  requireRun,
} from '../evaluate/check/requireArguments.js';

/** The key of the parts. Registered globally, because an application may come from another copy of this module. */
const applicationParts: unique symbol = Symbol.for('toolwright/applicationParts') as never;

export interface ApplicationParts {
  readonly prompts: ReadonlyMap<Constructor, BoundPrompt>;
  readonly services: ModelServices;
  readonly dispatcher: ToolDispatcher;
  readonly turns: TurnDispatcher;
  readonly outputs: OutputReader;
  readonly lifetime: Lifetime;
  readonly events: readonly AbstractConstructor[];
}

/** One outcome for each call. */
export type Outcomes<C extends readonly ToolCall[]> = { readonly [K in keyof C]: ToolOutcome };

/** Validated prompts and everything that runs them. Create it with `createApplication`, and close it at the end. */
export class Application implements AsyncCloseable {
  /** @internal */
  readonly [applicationParts]: ApplicationParts;

  /** @internal */
  constructor(parts: ApplicationParts) {
    this[applicationParts] = parts;
    Object.freeze(this);
  }

  get eventBus(): EventBus {
    return this[applicationParts].services.eventBus;
  }

  /**
   * Returns a prompt by its class.
   *
   * @throws PromptError E403
   */
  prompt<T extends object>(type: Constructor<T>): BoundPrompt<OutputIn<T>> {
    const prompt = this[applicationParts].prompts.get(type);
    if (prompt !== undefined) return prompt as BoundPrompt<OutputIn<T>>;
    const problem = 'the class was not listed when the application was created';
    throw createPromptError(problem, { code: 'E403', place: className(type) });
  }

  /**
   * Runs one tool call of a model, for your own loop. The call is a transaction. Failures are outcomes; the failure
   * table lists the few errors that are thrown (docs/contract.md, 7). For several calls of one turn use `callTools`.
   *
   * @throws PromptEvaluationError, VisibilityExpansionRequired, ApprovalPendingError, or the reason of the caller's
   * signal; PromptError E411 if an argument is not a rendering or not a call, E413 for an unknown option
   */
  callTool(rendered: RenderedPrompt, call: ToolCall, options: CallOptions = {}): Promise<ToolOutcome> {
    const { dispatcher, lifetime, services } = this[applicationParts];
    return lifetime.run(() => {
      requireRendering('app.callTool', rendered);
      requireCall('app.callTool', call);
      requireCallOptions('app.callTool', options);
      return dispatcher.dispatch(call, createRun(rendered, options, services.ids));
    });
  }

  /**
   * Runs all tool calls of one turn of a model, for your own loop, with the effects and results of running them in
   * order. Returns an outcome for each.
   *
   * @throws the errors of `callTool`; PromptEvaluationError E605 if the turn exceeds `limits.turnMs`
   */
  async callTools<const C extends readonly ToolCall[]>(
    rendered: RenderedPrompt,
    calls: C,
    options: CallOptions = {},
  ): Promise<Outcomes<C>> {
    const { lifetime, services, turns } = this[applicationParts];
    requireRendering('app.callTools', rendered);
    requireCalls('app.callTools', calls);
    requireCallOptions('app.callTools', options);
    const outcomes = await lifetime.run(() => turns.dispatch(calls, createRun(rendered, options, services.ids)));
    return outcomes as Outcomes<C>;
  }

  /**
   * Calls a tool from your own code by its name. The arguments are an object or JSON text, and are validated like those
   * of a model. The call gets a new id.
   *
   * @throws the errors of `callTool`
   */
  async invoke(
    rendered: RenderedPrompt,
    name: string,
    args: ToolCall['arguments'],
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    return this.callTool(rendered, { id: this[applicationParts].services.ids(), name, arguments: args }, options);
  }

  /**
   * Runs a call that waited for its approval, perhaps in another process: the same arguments, the same idempotency key.
   * Its arguments and policies are checked again, since the state may have changed; its approver is not asked again.
   * The call is refused in a run of another principal or conversation, if its tool has changed, and if it belongs to a
   * run with a conversation, which `conversation.reply` answers. The record does not expire: a second
   * `continueCall` with it runs the call again, with the same idempotency key (docs/failures.md).
   *
   * @param pending the record that `ApprovalPendingError` held, also after `JSON.stringify` and `JSON.parse`
   * @throws PromptEvaluationError E712 for a record that does not match, E735 for an answer that is neither `approved`
   * nor `denied`, and the errors of `callTool`
   * @example
   * const pending = JSON.parse(await readFile('pending.json', 'utf8')) as PendingCall;
   * const outcome = await app.continueCall(rendered, pending, { kind: 'approved' }, { session });
   */
  async continueCall(
    rendered: RenderedPrompt,
    pending: PendingCall,
    answer: ApprovalDecision,
    options: CallOptions = {},
  ): Promise<ToolOutcome> {
    requireRendering('app.continueCall', rendered);
    requireCallOptions('app.continueCall', options);
    const decision = requireApproval('app.continueCall', answer);
    const { call, run, place } = readContinuation(
      pending,
      rendered,
      decision,
      this[applicationParts].services.seals,
      options.runMetadata,
    );
    const { dispatcher, lifetime } = this[applicationParts];
    const here = createRun(rendered, options, () => run);
    return lifetime.run(() => dispatcher.dispatch(call, here, place));
  }

  /**
   * Lets Toolwright run the loop: sends the prompt to the model, runs the tools that it calls, and repeats until it
   * answers (docs/contract.md, 16).
   *
   * @throws PromptError E411, E412, E413, PromptEvaluationError, OutputParseError, ThrottleError, PromptRenderError,
   * VisibilityExpansionRequired, ApprovalPendingError, the reason of the caller's signal, or the error of an
   * interceptor
   * @example
   * const response = await app.evaluate(prompt, { adapter, session, deadline: Deadline.in(30_000) });
   */
  async evaluate<const O extends OutputReference | undefined = undefined, T = unknown>(
    prompt: BoundPrompt<T> | RenderedPrompt<T>,
    options: EvaluateOptions<O>,
  ): Promise<PromptResponse<ChosenOutput<O, T>>> {
    return (await evaluateWithListener(this, prompt, options)) as PromptResponse<ChosenOutput<O, T>>;
  }

  /**
   * Runs the same loop as `evaluate` and streams its events: the model's text in parts, its answers, the tool calls,
   * and last the response (`done`). The run waits for its reader, and leaving the loop cancels it; see `PromptStream`
   * (docs/contract.md, 16).
   *
   * @throws PromptError E411, E412, E413; while it is read, the other errors of `evaluate`
   * @example
   * for await (const event of app.stream(prompt, { adapter, session })) {
   *   if (event.kind === 'text') process.stdout.write(event.text);
   *   if (event.kind === 'done') console.log(event.response.usage);
   * }
   */
  stream<const O extends OutputReference | undefined = undefined, T = unknown>(
    prompt: BoundPrompt<T> | RenderedPrompt<T>,
    options: EvaluateOptions<O>,
  ): PromptStream<ChosenOutput<O, T>> {
    const parts = this[applicationParts];
    const checked = requireRun('app.stream', prompt, options, parts.services);
    return new PromptStream(async (emit, signal) => {
      const response = await parts.lifetime.run(() => evaluatePrompt(parts, prompt, { ...checked, signal }, { emit }));
      return response as PromptResponse<ChosenOutput<O, T>>;
    }, options.signal);
  }

  /** The resources outside tool calls. No transaction rolls them back. */
  get resources(): ResourceScope {
    return this[applicationParts].services.resources;
  }

  /**
   * Closes the application. New runs and calls are refused (E410). Runs, calls and asynchronous subscribers that have
   * begun finish. Then every opened resource is closed, the last one first. Abort the signals of the runs to close
   * sooner. A handler must not await it, since it waits for the handler. Later calls return the same promise.
   *
   * @throws ResourceCloseError after everything was closed, if a resource failed to close
   * @example
   * await using app = await createApplication({ prompts: [SupportDesk], resources });
   */
  close(): Promise<void> {
    const { eventBus, resources } = this[applicationParts].services;
    return this[applicationParts].lifetime.close(async () => {
      const unflushed = await flushEvents(eventBus);
      const faults = [...unflushed, ...(await resources.close())];
      if (faults.length > 0) throw new ResourceCloseError(faults);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Waits for asynchronous subscribers, as long as for a resource. */
async function flushEvents(bus: EventBus): Promise<readonly CloseFault[]> {
  const name = 'EventBus';
  try {
    const flushing = async (): Promise<unknown> => bus.flush();
    if (await waitAtMost(flushing(), MAX_CLOSE_MS)) return [];
    const problem = `its subscribers had not ended after ${String(MAX_CLOSE_MS)} ms`;
    return [{ name, error: new ResourceError(problem, { code: 'E917', place: name }) }];
  } catch (error) {
    return [{ name, error }];
  }
}

/** Runs the loop like `app.evaluate`. With a listener, answers are read in parts if the adapter streams. */
export function evaluateWithListener(
  app: Application,
  prompt: BoundPrompt | RenderedPrompt,
  options: EvaluateOptions,
  listener?: RunListener,
): Promise<PromptResponse> {
  const parts = getApplicationParts(app);
  const checked = requireRun('app.evaluate', prompt, options, parts.services);
  return parts.lifetime.run(() => evaluatePrompt(parts, prompt, checked, { listener }));
}

/** Returns the parts of an application, for the packages of this repository. */
export function getApplicationParts(app: Application): ApplicationParts {
  return app[applicationParts];
}
