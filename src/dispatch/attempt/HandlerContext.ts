import { isInstance } from '../../common/classes.js';
import type { EventBus } from '../../event/EventBus.js';
import { TransactionClosedError } from '../../error/toolErrors.js';
import type { CallInfo, RunMetadata } from '../../interface/CallContext.js';
import { ToolProgressed, type ToolProgress } from '../../event/ToolProgressed.js';
import { Filesystem } from '../../interface/Filesystem.js';
import type { Logger } from '../../interface/ports.js';
import type { PromptView, RenderedView } from '../../interface/PromptView.js';
import type { ResourceScope } from '../../interface/ResourceBinding.js';
import type { RunHandle } from '../../interface/RunHandle.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { BudgetTracker } from '../../limit/BudgetTracker.js';
import type { Deadline } from '../../limit/Deadline.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { SessionTransaction } from '../../session/SessionTransaction.js';
import { ToolContext } from '../../tool/ToolContext.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { DispatchContext, DispatchServices } from '../DispatchContext.js';
import type { LinkedSignal } from './LinkedSignal.js';
import type { OpenTransaction } from './OpenCall.js';
import type { SecretRedaction } from '../redact/SecretRedaction.js';
import type { ProgramScope } from './ProgramScope.js';
import { createEventHead, hasListeners, publish } from '../finish/publishEvents.js';

/**
 * Runs a call of a handler, or of its program, as a savepoint of the handler's own call.
 *
 * @param ofProgram the details of a call that a program makes. `signal` is aborted when the program ends before the call does
 */
export type NestedDispatch = (
  call: ToolCall,
  ofProgram?: { readonly tool: RenderedTool; readonly programCaller: ProgramScope; readonly signal: AbortSignal },
) => Promise<ToolOutcome>;

/** The parts of a context that belong to only one call. */
export interface ContextParts {
  readonly transaction: OpenTransaction<SessionTransaction>;
  readonly signal: LinkedSignal;
  readonly details: CallInfo;
  /** Undefined for code that is not a handler: it can neither call tools nor start runs. */
  readonly nested: NestedDispatch | undefined;
  /** Undefined when the call has nothing to hide. */
  readonly redaction: SecretRedaction | undefined;
  /** Receives the progress of the handler; undefined if no stream shows it. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

/** The dispatcher's side of a context, for programs that run in its call. */
export interface ContextInternals {
  readonly services: DispatchServices;
  readonly run: DispatchContext;
  readonly nested: NestedDispatch;
}

/** The `ToolContext` of one call; creates costly parts on first use. */
export class HandlerContext extends ToolContext {
  readonly #services: DispatchServices;
  readonly #run: DispatchContext;
  readonly #parts: ContextParts;
  #closed = false;

  constructor(services: DispatchServices, run: DispatchContext, parts: ContextParts) {
    super();
    this.#services = services;
    this.#run = run;
    this.#parts = parts;
    Object.freeze(this);
  }

  get prompt(): PromptView {
    return this.#open().rendered.prompt;
  }

  get renderedPrompt(): RenderedView {
    return this.#open().rendered;
  }

  get session(): SessionPort {
    this.#open();
    return this.#parts.transaction.session;
  }

  get eventBus(): EventBus {
    this.#open();
    return this.#services.eventBus;
  }

  get deadline(): Deadline | null {
    return this.#open().deadline ?? null;
  }

  get budgetTracker(): BudgetTracker | null {
    return this.#open().budget ?? null;
  }

  get run(): RunHandle | null {
    const { runHandle } = this.#open();
    const { transaction, signal, details, nested } = this.#parts;
    return nested === undefined ? null : (runHandle?.({ callId: details.id, transaction, signal }) ?? null);
  }

  get runMetadata(): RunMetadata {
    return this.#open().metadata;
  }

  get resources(): ResourceScope {
    this.#open();
    return this.#parts.transaction.resources;
  }

  get filesystem(): Filesystem | null {
    const { resources } = this;
    return this.#parts.transaction.resources.has(Filesystem) ? resources.get(Filesystem) : null;
  }

  /** Usable even after the call, so that a handler that outlives it can see that it is over. */
  get signal(): AbortSignal {
    return this.#parts.signal.signal;
  }

  get call(): CallInfo {
    this.#open();
    return this.#parts.details;
  }

  get logger(): Logger {
    this.#open();
    const { logger } = this.#services;
    const { redaction } = this.#parts;
    return redaction === undefined ? logger : redaction.wrapLogger(logger);
  }

  callTool(call: ToolCall): Promise<ToolOutcome> {
    const outcome = (async () => {
      this.#open();
      return (this.#parts.nested ?? refuseNestedCall)(call);
    })();
    // The handler may not await it: an unhandled rejection would end the process.
    outcome.catch(() => undefined);
    return outcome;
  }

  reportProgress({ fraction, message }: ToolProgress): void {
    const run = this.#open();
    const { onProgress } = this.#parts;
    const isPublished = hasListeners(this.#services, run, ToolProgressed);
    if (!isPublished && onProgress === undefined) return;
    const shown = { fraction, message: (this.#parts.redaction ?? this.#services.redaction).redact(message) };
    onProgress?.(shown);
    if (!isPublished) return;
    const { name, id: callId } = this.#parts.details;
    const event = new ToolProgressed({ ...createEventHead(this.#services, run), name, callId, ...shown });
    publish(this.#services, run, event);
  }

  now(): number {
    this.#open();
    return this.#services.clock.now();
  }

  newId(): string {
    this.#open();
    return this.#services.ids();
  }

  /** Gives a program access to the call that it runs in; returns undefined for a context that the dispatcher did not create. */
  static inside(context: ToolContext): ContextInternals | undefined {
    if (!isInstance(context, HandlerContext)) return undefined;
    return { services: context.#services, run: context.#open(), nested: context.#parts.nested ?? refuseNestedCall };
  }

  /** Ends a context; only the dispatcher calls it. */
  static close(context: HandlerContext): void {
    context.#closed = true;
  }

  #open(): DispatchContext {
    if (this.#closed) throw new TransactionClosedError(`context of ${this.#parts.details.name}`);
    return this.#run;
  }
}

function refuseNestedCall(): Promise<never> {
  return Promise.reject(new TypeError('policies, approvers and feedback providers cannot call tools'));
}
