import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api';
import type { Clock } from 'toolwright';
import type { Next } from 'toolwright/policies';
import { readErrorType, OTHER } from './attributes.js';
import { runQuietly } from './runQuietly.js';

export interface OperationEnd {
  readonly attributes?: Attributes;
  /** Returns the content of the result; called only if content is captured. */
  readonly content?: (() => Attributes) | undefined;
  /** Set if it failed. */
  readonly errorType?: string | undefined;
}

/** A traced operation: a span, and measurements at its end. */
export interface Operation<T> {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** The parent context; the current one when left out. */
  readonly parent?: Context | undefined;
  /** Returns the content of the input; called only if content is captured. */
  readonly content?: (() => Attributes) | undefined;
  ended(value: T): OperationEnd;
  /** Returns attributes that are known at the end, after success or failure. */
  settled?(): Attributes;
  /** Returns the message of an error that may be recorded; called only if content is captured. */
  reason?(error: unknown): string;
  measured?(seconds: number, failure: Attributes): void;
}

type Reason = () => string | undefined;

export interface TreeOptions {
  readonly tracer: Tracer;
  readonly clock: Clock;
  /** True if texts, arguments and results may be recorded. */
  readonly capture: boolean;
}

/**
 * The contexts of every tree: without a context manager of the host, OpenTelemetry's own context does not survive an `await`. All
 * trees share one storage, because each active one slows down every promise of the process, and a tree does not know when it ends.
 */
const here = new AsyncLocalStorage<ReadonlyMap<SpanTree, Context>>();

/**
 * Opens and ends spans. Each becomes a child of the span in which it is opened, so operations of a handler are below its call. A
 * failure here does not affect the traced operation.
 */
export class SpanTree {
  readonly #options: TreeOptions;

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  /** @throws the errors of `next` */
  async watch<T>(describe: () => Operation<T>, next: Next<T>): Promise<void> {
    const operation = runQuietly(describe);
    if (operation === undefined) {
      await next();
      return;
    }
    const parent = operation.parent ?? this.#findParent();
    const span = this.#start(operation, parent);
    const startedAt = this.#options.clock.monotonic();
    const end = (outcome: OperationEnd, reason?: Reason): void => {
      const failure: Attributes = outcome.errorType === undefined ? {} : { 'error.type': outcome.errorType };
      const seconds = (this.#options.clock.monotonic() - startedAt) / 1000;
      runQuietly(() => operation.measured?.(seconds, failure));
      if (span === undefined) return;
      runQuietly(() => span.setAttributes(operation.settled?.() ?? {}));
      this.#end(span, outcome, failure, reason);
    };
    let value: T;
    try {
      value = await this.#runInContext(span === undefined ? parent : trace.setSpan(parent, span), next);
    } catch (error) {
      end({ errorType: runQuietly(() => readErrorType(error)) ?? OTHER }, () => operation.reason?.(error));
      throw error;
    }
    end(runQuietly(() => operation.ended(value)) ?? {});
  }

  #findParent(): Context {
    const active = runQuietly(() => context.active()) ?? ROOT_CONTEXT;
    return active === ROOT_CONTEXT ? (here.getStore()?.get(this) ?? active) : active;
  }

  #start({ name, kind, attributes, content }: Operation<never>, parent: Context): Span | undefined {
    const { tracer } = this.#options;
    const span = runQuietly(() => tracer.startSpan(name, { kind, attributes }, parent));
    if (span !== undefined) this.#addContent(span, content);
    return span;
  }

  #addContent(span: Span, content: (() => Attributes) | undefined): void {
    if (!this.#options.capture || content === undefined) return;
    runQuietly(() => {
      if (span.isRecording()) span.setAttributes(content());
    });
  }

  /** Calls `next` exactly once, also if setting the context fails. */
  #runInContext<T>(inner: Context, next: Next<T>): Promise<T> {
    let entered: Promise<T> | undefined;
    const enter = (): Promise<T> => (entered ??= next());
    runQuietly(() => {
      void here.run(new Map([...(here.getStore() ?? []), [this, inner]]), () => context.with(inner, enter));
    });
    return entered ?? enter();
  }

  #end(span: Span, { attributes, content }: OperationEnd, failure: Attributes, reason?: Reason): void {
    runQuietly(() => span.setAttributes({ ...attributes, ...failure }));
    this.#addContent(span, content);
    if ('error.type' in failure) {
      const message = this.#options.capture && reason !== undefined ? runQuietly(reason) : undefined;
      runQuietly(() => span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) }));
    }
    runQuietly(() => {
      span.end();
    });
  }
}
