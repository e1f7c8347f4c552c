import type { CallRun } from '../dispatch/CallRun.js';
import { AttemptTransaction } from '../dispatch/attempt/AttemptTransaction.js';
import type { LinkedSignal } from '../dispatch/attempt/LinkedSignal.js';
import { Filesystem } from '../interface/Filesystem.js';
import type { Logger } from '../interface/ports.js';
import type { PromptView } from '../interface/PromptView.js';
import type { ResourceScope } from '../interface/ResourceBinding.js';
import type { RunScope } from '../interface/RunScope.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { Deadline } from '../limit/Deadline.js';
import type { ModelServices } from './ModelTurn.js';

/** The run as a completion checker sees it: the state after all calls so far, read-only. */
export class AnswerScope implements RunScope {
  readonly #services: ModelServices;
  readonly #run: CallRun;
  readonly #signal: LinkedSignal;
  readonly #transaction: AttemptTransaction;

  constructor(services: ModelServices, run: CallRun, signal: LinkedSignal) {
    this.#services = services;
    this.#run = run;
    this.#signal = signal;
    this.#transaction = new AttemptTransaction(services, run, { parent: run.parentCall?.transaction, readOnly: true });
  }

  get prompt(): PromptView {
    return this.#run.rendered.prompt;
  }

  get session(): SessionPort {
    return this.#transaction.session;
  }

  get resources(): ResourceScope {
    return this.#transaction.resources;
  }

  get filesystem(): Filesystem | null {
    const { resources } = this.#transaction;
    return resources.has(Filesystem) ? resources.get(Filesystem) : null;
  }

  get deadline(): Deadline | null {
    return this.#run.deadline ?? null;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  get logger(): Logger {
    const { logger, redaction } = this.#services;
    return redaction.ofCall(undefined, null)?.wrapLogger(logger) ?? logger;
  }

  now(): number {
    return this.#services.clock.now();
  }

  newId(): string {
    return this.#services.ids();
  }

  /** Closes the scope: session and resources refuse every later use. */
  close(): Promise<void> {
    return this.#transaction.drop(this.#services.logger, 'the final answer');
  }
}
