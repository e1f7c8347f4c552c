import { setImmediate as nextTurn } from 'node:timers/promises';
import { context, diag, DiagLogLevel, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  ParentBasedSampler,
  SamplingDecision,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { defineTool, PromptEvaluationError, type ToolContext } from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { openTelemetry } from '@toolwright/opentelemetry';
import { programs, QuickJsSandbox } from '@toolwright/programs';
import { answer, AsyncContexts, calling, getOrder, named, Trace, tracedDesk } from './desk';

const PATIENCE_MS = 60_000;

describe('where the host has a context manager', () => {
  beforeEach(() => {
    context.setGlobalContextManager(new AsyncContexts());
  });
  afterEach(() => {
    context.disable();
  });

  test('spans of the host and of handlers take part in the tree', async () => {
    const traced = new Trace();
    const tracer = traced.provider.getTracer('host');
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      handler: async (_params: unknown, { callTool }: ToolContext) =>
        tracer.startActiveSpan('SELECT', async (span) => {
          await Promise.resolve();
          span.end();
          return typeof callTool;
        }),
    });
    const deep = defineTool({
      name: 'deep',
      description: 'Calls.',
      handler: async (_params: unknown, within: ToolContext) =>
        tracer.startActiveSpan('own step', async (span) => {
          await within.callTool({ id: 'x', name: 'look', arguments: {} });
          span.end();
          return 'Done.';
        }),
    });
    const { app, prompt } = await tracedDesk([look, deep], { trace: traced });
    const model = named([{ toolCalls: [{ name: 'deep', arguments: {} }] }, answer]);
    const adapter = {
      ...model,
      complete: async (request: Parameters<typeof model.complete>[0]) => {
        tracer.startSpan('POST', { kind: SpanKind.CLIENT }).end();
        return model.complete(request);
      },
    };
    await tracer.startActiveSpan('GET /chat', async (span) => {
      await app.evaluate(prompt, { adapter });
      span.end();
    });
    expect(traced.tree()).toEqual([
      'GET /chat',
      '  invoke_agent shop/desk',
      '    chat gpt-5-mini',
      '      POST',
      '    execute_tool deep',
      '      own step',
      '        execute_tool look',
      '          SELECT',
      '    chat gpt-5-mini',
      '      POST',
    ]);
  });

  test('runs at the same time do not mix their spans', async () => {
    const traced = new Trace();
    const tracer = traced.provider.getTracer('host');
    const { app, prompt } = await tracedDesk([getOrder], { trace: traced });
    const requests = Array.from({ length: 20 }, (_, index) =>
      tracer.startActiveSpan(`request ${String(index)}`, async (span) => {
        await app.evaluate(prompt, { adapter: named([calling('#1', '#2'), answer]) });
        span.end();
      }),
    );
    await Promise.all(requests);
    expect(traced.tree()).toEqual(
      Array.from({ length: 20 }, (_, index) => [
        `request ${String(index)}`,
        '  invoke_agent shop/desk',
        '    chat gpt-5-mini',
        '    execute_tool get_order',
        '    execute_tool get_order',
        '    chat gpt-5-mini',
      ]).flat(),
    );
    expect(new Set(traced.spans.map((span) => span.spanContext().traceId)).size).toBe(20);
  });

  test('an unsampled parent leaves the whole run out, and a sampled one includes it', async () => {
    const none = { shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD }), toString: () => 'none' };
    const traced = new Trace(new ParentBasedSampler({ root: none }));
    const { app, prompt } = await tracedDesk([getOrder], { trace: traced });
    const run = () => app.evaluate(prompt, { adapter: named([calling('#1'), answer]) });
    const below = (traceFlags: number) =>
      context.with(
        trace.setSpanContext(context.active(), {
          traceId: '0af7651916cd43dd8448eb211c80319c',
          spanId: 'b7ad6b7169203331',
          traceFlags,
          isRemote: true,
        }),
        run,
      );
    await run();
    await below(0);
    expect(traced.spans).toEqual([]);
    await below(1);
    expect(traced.spans).toHaveLength(4);
    expect(new Set(traced.spans.map((span) => span.spanContext().traceId))).toEqual(
      new Set(['0af7651916cd43dd8448eb211c80319c']),
    );
  });
});

describe('programs', () => {
  const sandbox = new QuickJsSandbox({ workers: 1 });
  afterAll(() => sandbox.close());

  const program = (code: string) => ({ toolCalls: [{ name: 'execute_program', arguments: { code } }] });
  const deskOfPrograms = (traced: Trace) =>
    tracedDesk([getOrder], {
      trace: traced,
      prompt: { extensions: [programs({ sandbox, check: 'syntax' })] },
    });

  test(
    'hold their calls, each its own, also where the engine was started by another run',
    async () => {
      const traced = new Trace();
      const { app, prompt } = await deskOfPrograms(traced);
      const two = 'await get_order({ orderId: "#1" }); await get_order({ orderId: "#2" });';
      const run = () => app.evaluate(prompt, { adapter: named([program(two), answer]) });
      const tree = [
        'invoke_agent shop/desk',
        '  chat gpt-5-mini',
        '  execute_tool execute_program',
        '    toolwright.program',
        '      execute_tool get_order',
        '      execute_tool get_order',
        '  chat gpt-5-mini',
      ];
      await run();
      expect(traced.tree()).toEqual(tree);
      await run();
      expect(traced.tree()).toEqual([...tree, ...tree]);
      const [first] = traced.spans.filter(({ name }) => name === 'toolwright.program');
      const [ofRun] = traced.spans.filter(({ name }) => name === 'invoke_agent shop/desk');
      expect(first?.attributes).toEqual({
        'gen_ai.conversation.id': ofRun?.attributes['gen_ai.conversation.id'],
        'toolwright.program.attempt': 1,
        'toolwright.program.status': 'completed',
        'toolwright.program.calls': 2,
      });
      const inner = traced.spans.filter(({ name }) => name === 'execute_tool get_order');
      expect(new Set(inner.map(({ attributes }) => attributes['toolwright.call.caller']))).toEqual(
        new Set(['program']),
      );
    },
    PATIENCE_MS,
  );

  test(
    'programs that fail have the kind of their fault',
    async () => {
      const traced = new Trace();
      const { app, prompt } = await deskOfPrograms(traced);
      const code = 'await get_order({ orderId: "#none" })';
      await app.evaluate(prompt, { adapter: named([program(code), program('throw new RangeError("x")'), answer]) });
      const told = traced.spans
        .filter(({ name }) => name === 'toolwright.program')
        .map(({ attributes, status }) => [
          attributes['toolwright.program.status'],
          attributes['error.type'],
          status.code,
        ]);
      expect(told).toEqual([
        ['failed', 'tool_error', SpanStatusCode.ERROR],
        ['failed', expect.any(String) as string, SpanStatusCode.ERROR],
      ]);
      expect(traced.spans.filter(({ name }) => name === 'execute_tool execute_program')).toHaveLength(2);
    },
    PATIENCE_MS,
  );
});

describe('telemetry that fails', () => {
  const logged: unknown[][] = [];
  beforeEach(() => {
    logged.length = 0;
    const log = (...said: unknown[]): void => void logged.push(said);
    const logger = { verbose: log, debug: log, info: log, warn: log, error: log };
    diag.setLogger(logger, { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true });
  });
  afterEach(() => {
    diag.disable();
    context.disable();
  });

  const boom = (): never => {
    throw new Error('no telemetry today');
  };
  const throwing = (name: string): object => new Proxy({}, { get: (_target, key) => (key === 'name' ? name : boom) });
  const expectRun = async (interceptor: Interceptor): Promise<void> => {
    let handled = 0;
    const counting: Interceptor = {
      aroundTool: async (_call, next) => {
        handled++;
        await next();
      },
    };
    const { app, prompt } = await tracedDesk([getOrder], { app: { interceptors: [interceptor, counting] } });
    const response = await app.evaluate(prompt, { adapter: named([calling('#1', '#none'), answer]) });
    expect([response.text, response.turns, handled]).toEqual(['It is on its way.', 2, 2]);
    expect(response.transcript.filter(({ role }) => role === 'tool').map((message) => message.content)).toEqual([
      '{"orderId":"#1"}',
      'There is no such order.',
    ]);
  };

  test('an exporter that throws, at once or later: the run continues, and `diag` is notified', async () => {
    const later: SpanExporter['export'] = (_spans, done) => {
      setImmediate(done, { code: 1, error: new Error('no collector') });
    };
    for (const failing of [boom, later]) {
      const exporter: SpanExporter = { export: failing, shutdown: async () => undefined };
      const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      await expectRun(openTelemetry({ tracerProvider, captureContent: true }));
      await nextTurn(); // until all that was handed over has failed
    }
    expect(logged.filter(([said]) => String(said).includes('no collector'))).not.toEqual([]);
    expect(logged.filter(([said]) => String(said).includes('no telemetry today'))).not.toEqual([]);
  });

  test('a processor that throws', async () => {
    const processor = { onStart: boom, onEnd: boom, forceFlush: async () => {}, shutdown: async () => {} };
    await expectRun(openTelemetry({ tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }) }));
    expect(logged).not.toEqual([]);
  });

  test('a tracer that throws, a span that throws, and invalid spans do not affect the run', async () => {
    const spans: readonly (() => unknown)[] = [boom, () => throwing('span'), () => undefined];
    for (const startSpan of spans) {
      const tracer = { startSpan, startActiveSpan: boom } as unknown as Tracer;
      await expectRun(openTelemetry({ tracerProvider: { getTracer: () => tracer }, captureContent: true }));
    }
    expect(JSON.stringify(logged)).toContain('a span or a measurement could not be made');
  });

  test('a meter that throws, and instruments that throw', async () => {
    for (const meter of [throwing('meter'), { createHistogram: () => ({ record: boom }) }])
      await expectRun(openTelemetry({ meterProvider: { getMeter: () => meter as never } }));
    expect(logged.length).toBeGreaterThan(0);
  });

  test('a run happens once even if the context manager throws', async () => {
    const broken = new AsyncContexts();
    Object.assign(broken, { active: boom, with: boom });
    context.setGlobalContextManager(broken);
    const traced = new Trace();
    await expectRun(openTelemetry({ tracerProvider: traced.provider }));
  });

  test('a logger of OpenTelemetry that throws as well', async () => {
    const log = (): void => undefined;
    diag.setLogger({ verbose: log, debug: log, info: log, warn: log, error: boom }, { suppressOverrideMessage: true });
    await expectRun(openTelemetry({ tracerProvider: { getTracer: () => ({ startSpan: boom }) as never } }));
  });

  test('an error of the run itself propagates unchanged', async () => {
    const { app, prompt, trace: traced } = await tracedDesk([getOrder]);
    const failure = new PromptEvaluationError('The model is gone.', { phase: 'request' });
    const adapter = { name: 'x:y', complete: async () => Promise.reject(failure) };
    await expect(app.evaluate(prompt, { adapter })).rejects.toBe(failure);
    expect(traced.tree()).toEqual(['invoke_agent shop/desk', '  chat y']);
  });
});
