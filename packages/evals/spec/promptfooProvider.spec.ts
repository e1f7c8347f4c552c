import { SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { ScriptedModel } from 'toolwright/testing';
import { promptRun } from '@toolwright/evals';
import { promptfooProvider } from '@toolwright/evals/promptfoo';
import { Airline, book, openAirline } from './support/desk';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const traceparent = `00-${TRACE_ID}-${SPAN_ID}-01`;

const exporter = new InMemorySpanExporter();
beforeAll(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
});
beforeEach(() => exporter.reset());
afterAll(() => {
  trace.disable();
});

/** Books 1A, and then 1A again, which is taken, together with 2B. */
const runDesk = promptRun<string>({
  app: openAirline,
  prompt: Airline,
  adapter: () =>
    new ScriptedModel([
      { toolCalls: [book('1A', 'Ada')], usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 } },
      {
        toolCalls: [book('1A', 'Bob'), book('2B', 'Bob')],
        usage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 },
      },
      { text: 'Booked.', usage: { inputTokens: 30, outputTokens: 1, totalTokens: 31 } },
    ]),
});
const Provider = promptfooProvider({ id: 'desk', run: runDesk });

const describeSpan = ({ name, attributes, status, parentSpanContext }: ReadableSpan) => ({
  name,
  tool: attributes['tool.name'],
  arguments: attributes['tool.arguments'],
  turn: attributes['gen_ai.turn.index'],
  failed: status.code === SpanStatusCode.ERROR,
  parent: parentSpanContext?.spanId,
});

describe('a provider of promptfoo', () => {
  test('a response has the answer, the tokens and the calls', async () => {
    const provider = new Provider();
    expect(provider.id()).toBe('desk');
    expect(await provider.callApi('Book a seat.', {})).toEqual({
      output: 'Booked.',
      tokenUsage: { prompt: 60, completion: 7, total: 67, numRequests: 3 },
      metadata: {
        turns: 3,
        calls: [
          { name: 'book_seat', arguments: { seat: '1A', passenger: 'Ada' }, failed: false },
          { name: 'book_seat', arguments: { seat: '1A', passenger: 'Bob' }, failed: true },
          { name: 'book_seat', arguments: { seat: '2B', passenger: 'Bob' }, failed: false },
        ],
      },
    });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  test('spans of rounds and calls continue the trace of the test', async () => {
    await new Provider().callApi('Book a seat.', { traceparent });
    const spans = exporter.getFinishedSpans();
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE_ID]));
    const idOf = new Map(spans.map((span) => [span.name, span.spanContext().spanId]));
    const turn = (index: number) => ({
      name: `gen_ai.turn ${String(index)}`,
      tool: undefined,
      arguments: undefined,
      turn: index,
      failed: false,
      parent: SPAN_ID,
    });
    const call = (index: number, seat: string, passenger: string, failed: boolean) => ({
      name: 'execute_tool book_seat',
      tool: 'book_seat',
      arguments: JSON.stringify({ seat, passenger }),
      turn: index,
      failed,
      parent: idOf.get(`gen_ai.turn ${String(index)}`),
    });
    const inOrder = [...spans].sort((one, other) => toMs(one) - toMs(other));
    expect(inOrder.map(describeSpan)).toEqual([
      turn(1),
      call(1, '1A', 'Ada', false),
      turn(2),
      call(2, '1A', 'Bob', true),
      call(2, '2B', 'Bob', false),
      turn(3),
    ]);
    // Promptfoo sorts by whole milliseconds, so no two may be equal.
    expect(new Set(spans.map(toMs)).size).toBe(spans.length);
  });

  test('an application that reports its own spans turns off the spans of the provider', async () => {
    const Quiet = promptfooProvider({ id: 'desk', run: runDesk, spans: false });
    await new Quiet().callApi('Book a seat.', { traceparent });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  test.each([undefined, '', 'no trace', `00-${'0'.repeat(32)}-${SPAN_ID}-01`])(
    'the trace context %j leads to no spans',
    async (broken) => {
      expect(await new Provider().callApi('Book a seat.', { traceparent: broken })).toMatchObject({
        output: 'Booked.',
      });
      expect(exporter.getFinishedSpans()).toEqual([]);
    },
  );

  test('a run reads the vars and the repeat of a test, and an error becomes its result', async () => {
    const seen: unknown[] = [];
    const Echo = promptfooProvider({
      id: 'echo',
      run: ({ id, input, metadata }, { epoch, defer }) => {
        defer(() => seen.push('closed'));
        seen.push({ id, input, metadata, epoch });
        throw new Error('the provider is down');
      },
    });
    const asked = { vars: { seat: '1A' }, testCaseId: 'one', repeatIndex: 2 };
    expect(await new Echo().callApi('Hello', asked)).toEqual({ error: 'the provider is down' });
    expect(seen).toEqual([{ id: 'one', input: 'Hello', metadata: { seat: '1A' }, epoch: 3 }, 'closed']);
  });

  test('a run without a response has its calls in one round', async () => {
    const calls = [
      { name: 'a', arguments: {}, failed: false },
      { name: 'b', arguments: 'broken {', failed: true },
    ];
    const Plain = promptfooProvider({
      id: 'plain',
      run: () => ({ text: 'Hi', output: { hi: true }, calls, cost: 0.5 }),
    });
    expect(await new Plain().callApi('Hello', { traceparent })).toEqual({
      output: { hi: true },
      tokenUsage: {},
      cost: 0.5,
      metadata: { calls },
    });
    expect(exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes['tool.arguments']])).toEqual([
      ['execute_tool a', '{}'],
      ['execute_tool b', 'broken {'],
      ['gen_ai.turn 1', undefined],
    ]);
  });

  test('a cancelled test ends the run with the reason', async () => {
    const controller = new AbortController();
    const Endless = promptfooProvider({ id: 'endless', run: () => new Promise<never>(() => undefined) });
    const asked = new Endless().callApi('Hello', {}, { abortSignal: controller.signal });
    controller.abort(new Error('stopped by the user'));
    await expect(asked).rejects.toThrow('stopped by the user');
  });

  test('a wrong option is refused', () => {
    expect(() => promptfooProvider({ id: '', run: runDesk })).toThrow('E413');
    expect(() => promptfooProvider({ id: 'desk', run: 1 as never })).toThrow('E413');
  });
});

function toMs({ startTime: [seconds, nanos] }: ReadableSpan): number {
  return seconds * 1_000 + nanos / 1_000_000;
}
