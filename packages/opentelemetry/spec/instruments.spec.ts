import { SamplingDecision } from '@opentelemetry/sdk-trace-base';
import { defineTool, type ModelAdapter, ToolRefusal } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { answer, calling, getOrder, Measures, named, Trace, tracedDesk } from './desk';

describe('measurements', () => {
  test('measurements hold durations and tokens by the names, units and bounds of the conventions', async () => {
    const clock = new FakeClock();
    const measures = new Measures();
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      handler: () => {
        clock.advance(250);
        throw new ToolRefusal('No.');
      },
    });
    const { app, prompt } = await tracedDesk([wait], {
      tracing: { meterProvider: measures.provider, clock },
    });
    const model = named([
      { toolCalls: [{ name: 'wait', arguments: {} }], usage: { inputTokens: 100, outputTokens: 20 } },
      { text: 'Done.', usage: { inputTokens: 140, outputTokens: 5 } },
    ]);
    const adapter: ModelAdapter = {
      name: model.name,
      complete: async (request) => {
        clock.advance(500);
        return model.complete(request);
      },
    };
    await app.evaluate(prompt, { adapter });
    const chat = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
    };
    const bounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
    expect(await measures.of('gen_ai.client.operation.duration')).toEqual([
      { attributes: chat, sum: 1, count: 2, boundaries: bounds },
    ]);
    expect(await measures.of('gen_ai.client.token.usage')).toEqual(
      (['input', 'output'] as const).map((type) => ({
        attributes: { ...chat, 'gen_ai.token.type': type },
        sum: type === 'input' ? 240 : 25,
        count: 2,
        boundaries: [
          ...[1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144],
          ...[1048576, 4194304, 16777216, 67108864],
        ],
      })),
    );
    expect(await measures.of('gen_ai.execute_tool.duration')).toEqual([
      {
        attributes: {
          'gen_ai.tool.name': 'wait',
          'gen_ai.tool.type': 'function',
          'gen_ai.agent.name': 'shop/desk',
          'error.type': 'failed',
        },
        sum: 0.25,
        count: 1,
        boundaries: bounds,
      },
    ]);
    expect(await measures.of('gen_ai.invoke_agent.duration')).toEqual([
      {
        attributes: { 'gen_ai.agent.name': 'shop/desk' },
        sum: 1.25,
        count: 1,
        boundaries: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6],
      },
    ]);
    await measures.close();
  });

  test('measurements are taken also where a span is not sampled, and nothing is exported then', async () => {
    const measures = new Measures();
    const trace = new Trace({
      shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD }),
      toString: () => 'none',
    });
    const { app, prompt } = await tracedDesk([getOrder], {
      trace,
      tracing: { meterProvider: measures.provider, captureContent: true },
    });
    await app.evaluate(prompt, { adapter: named([calling('#1'), answer]) });
    expect(trace.spans).toEqual([]);
    expect(await measures.of('gen_ai.execute_tool.duration')).toHaveLength(1);
    await measures.close();
  });
});
