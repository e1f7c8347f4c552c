import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, type Context, type ContextManager } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  type Application,
  type ApplicationOptions,
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ModelAdapter,
  Param,
  type PromptOptions,
  ToolRefusal,
} from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { openTelemetry, type OpenTelemetryOptions } from '@toolwright/opentelemetry';
import { silent } from '../../../spec/support/silent';

/** Spans in memory, as the SDK ends them. */
export class Trace {
  readonly exporter = new InMemorySpanExporter();
  readonly provider: BasicTracerProvider;
  readonly #starts: string[] = [];

  constructor(sampler?: Sampler) {
    const order: SpanProcessor = {
      onStart: (span) => void this.#starts.push(span.spanContext().spanId),
      onEnd: () => undefined,
      forceFlush: async () => undefined,
      shutdown: async () => undefined,
    };
    const spanProcessors = [order, new SimpleSpanProcessor(this.exporter)];
    this.provider = new BasicTracerProvider({ spanProcessors, ...(sampler === undefined ? {} : { sampler }) });
  }

  get spans(): readonly ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  /** The one span of that name. */
  span(name: string): ReadableSpan {
    const [found, ...others] = this.spans.filter((span) => span.name === name);
    if (found === undefined || others.length > 0) throw new Error(`not one ${name}: ${this.tree().join(', ')}`);
    return found;
  }

  /** Each span below its parent, in the order of starts: `a`, `  b`. A parent that is missing shows as `?`. */
  tree(): readonly string[] {
    const { spans } = this;
    const ids = new Set(spans.map((span) => span.spanContext().spanId));
    const begun = (span: ReadableSpan): number => this.#starts.indexOf(span.spanContext().spanId);
    const below = (id: string | undefined, depth: number): readonly string[] =>
      spans
        .filter((span) => span.parentSpanContext?.spanId === id)
        .sort((one, other) => begun(one) - begun(other))
        .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...below(span.spanContext().spanId, depth + 1)]);
    const lost = spans.filter(({ parentSpanContext: parent }) => parent !== undefined && !ids.has(parent.spanId));
    return [...below(undefined, 0), ...lost.map(({ name }) => `? ${name}`)];
  }

  /** Everything that was exported, as text. */
  text(): string {
    return JSON.stringify(this.spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]));
  }
}

/** One histogram's points. */
export interface Measured {
  readonly attributes: unknown;
  readonly sum: number;
  readonly count: number;
  readonly boundaries: readonly number[];
}

/** Measurements in memory. */
export class Measures {
  readonly exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  // Nothing is exported before it is asked for.
  readonly reader = new PeriodicExportingMetricReader({ exporter: this.exporter, exportIntervalMillis: 3_600_000 });
  readonly provider = new MeterProvider({ readers: [this.reader] });

  async of(name: string): Promise<readonly Measured[]> {
    await this.reader.forceFlush();
    const last = this.exporter.getMetrics().at(-1);
    const metric = last?.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .find(({ descriptor }) => descriptor.name === name);
    return (metric?.dataPoints ?? []).map(({ attributes, value }) => {
      const { sum, count, buckets } = value as { sum: number; count: number; buckets: { boundaries: number[] } };
      return { attributes, sum, count, boundaries: buckets.boundaries };
    });
  }

  async close(): Promise<void> {
    await this.provider.shutdown();
  }
}

/** A context manager like that of `@opentelemetry/context-async-hooks`, which hosts register. */
export class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, () => fn.apply(thisArg, args));
  }

  bind<T>(_context: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

/** A traced application with one prompt `shop/desk`. */
export interface TracedDesk {
  readonly app: Application;
  readonly prompt: BoundPrompt;
  readonly trace: Trace;
}

export interface DeskOptions {
  readonly tracing?: OpenTelemetryOptions;
  readonly trace?: Trace;
  /** Within the tracing one. */
  readonly interceptors?: readonly Interceptor[];
  readonly app?: Partial<ApplicationOptions>;
  readonly prompt?: Partial<PromptOptions>;
  /** Prompts beside `shop/desk`. */
  readonly others?: readonly Constructor[];
}

export async function tracedDesk(tools: readonly Constructor[], options: DeskOptions = {}): Promise<TracedDesk> {
  const { trace = new Trace(), tracing = {}, interceptors = [], others = [] } = options;
  const section = defineSection({ key: 'orders', title: 'Orders', template: 'Be brief.', tools });
  const type = definePrompt({ ns: 'shop', key: 'desk', sections: [section], ...options.prompt });
  const app = await createApplication({
    prompts: [type, ...others],
    logger: silent,
    interceptors: [openTelemetry({ tracerProvider: trace.provider, ...tracing }), ...interceptors],
    ...options.app,
  });
  return { app, prompt: app.prompt(type), trace };
}

class OrderParams {
  @Param('Order id') orderId!: string;
}

export const getOrder = defineTool({
  name: 'get_order',
  description: 'Fetch one order.',
  params: OrderParams,
  hints: { readOnly: true },
  handler: ({ orderId }: OrderParams) => {
    if (orderId === '#none') throw new ToolRefusal('There is no such order.');
    if (orderId === '#broken') throw new TypeError('boom');
    return { orderId };
  },
});

/** A script under the name that a provider's adapter has. */
export function named(script: readonly ScriptStep[], name = 'openai:gpt-5-mini'): ModelAdapter {
  const model = new ScriptedModel(script);
  return { name, complete: (request) => model.complete(request), stream: (request) => model.stream(request) };
}

/** The model calls `get_order` for each of them, with the ids `c0`, `c1`, … */
export function calling(...orderIds: readonly string[]): ScriptStep {
  const toolCalls = orderIds.map((orderId, index) => ({
    id: `c${String(index)}`,
    name: 'get_order',
    arguments: { orderId },
  }));
  return { toolCalls, usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 80 } };
}

export const answer: ScriptStep = { text: 'It is on its way.', usage: { inputTokens: 150, outputTokens: 10 } };
