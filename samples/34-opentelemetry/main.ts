// A run as spans: content that is always recorded, and content that is recorded only on request.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { SpanStatusCode } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolRefusal } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { openTelemetry } from '@toolwright/opentelemetry';

class OrderParams {
  @Param('Order id, with its leading #') orderId!: string;
}

class RefundParams {
  @Param('Order id, with its leading #') orderId!: string;
  @Param({ description: 'Where the money goes', secret: true }) iban!: string;
}

@Section({ title: 'Orders', template: 'Look an order up before you refund it.' })
class Orders {
  @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams) {
    if (orderId === '#W9') throw new ToolRefusal('No order #W9.');
    return { orderId, total: 40 };
  }

  @Tool('Refund an order.')
  async refund({ orderId, iban }: RefundParams, context: ToolContext): Promise<string> {
    // A call within a call: its span is a child of this call's.
    const order = await context.callTool({ id: 'look', name: 'get_order', arguments: { orderId } });
    return `Refunded ${order.text} to ${iban}.`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
class Desk {}

// Not a model: a script. It looks two orders up at once, refunds one, and answers.
const script: readonly ScriptStep[] = [
  {
    toolCalls: [
      { name: 'get_order', arguments: { orderId: '#W1' } },
      { name: 'get_order', arguments: { orderId: '#W9' } },
    ],
    usage: { inputTokens: 210, outputTokens: 30 },
  },
  {
    toolCalls: [{ name: 'refund', arguments: { orderId: '#W1', iban: 'DE02 1203' } }],
    usage: { inputTokens: 260, outputTokens: 20 },
  },
  { text: 'Your money is on its way.', usage: { inputTokens: 300, outputTokens: 10 } },
];

/** Prints spans below their parents, each with its `error.type`. */
function show(exporter: InMemorySpanExporter): void {
  const spans = exporter.getFinishedSpans();
  const below = (parent: string | undefined, indent: string): void => {
    for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)) {
      const fault = span.status.code === SpanStatusCode.ERROR ? ` ✗ ${String(span.attributes['error.type'])}` : '';
      console.log(`${indent}${span.name}${fault}`);
      below(span.spanContext().spanId, `${indent}  `);
    }
  };
  below(undefined, '');
}

async function main(): Promise<void> {
  // Part of every host with OpenTelemetry; in production an exporter sends the spans to a collector.
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics });
  const meterProvider = new MeterProvider({ readers: [reader] });

  const app = await createApplication({
    prompts: [Desk],
    interceptors: [openTelemetry({ tracerProvider, meterProvider })],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const run = { messages: [{ role: 'user', content: 'Please refund #W1.' }] } as const;

  console.log('--- The spans of one run ---');
  await app.evaluate(app.prompt(Desk), { ...run, adapter: new ScriptedModel(script), session: new Session() });
  show(exporter);
  const root = exporter.getFinishedSpans().find(({ name }) => name.startsWith('invoke_agent'));
  console.log(`tokens in: ${String(root?.attributes['gen_ai.usage.input_tokens'])}`);
  assert.equal(root?.attributes['gen_ai.usage.output_tokens'], 60);
  assert.equal(exporter.getFinishedSpans().length, 8);

  console.log('--- What is measured ---');
  await meterProvider.forceFlush();
  for (const { descriptor, dataPoints } of metrics.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? [])
    console.log(`${descriptor.name} (${descriptor.unit}): ${String(dataPoints.length)} series`);

  console.log('--- No word of it is told ---');
  const told = JSON.stringify(exporter.getFinishedSpans().map(({ attributes, status }) => [attributes, status]));
  for (const word of ['refund #W1', 'DE02 1203', 'No order', 'on its way']) assert.ok(!told.includes(word), word);
  console.log('no text, argument or result');

  console.log('--- Unless it is asked for, and secrets not even then ---');
  exporter.reset();
  const open = await createApplication({
    prompts: [Desk],
    interceptors: [openTelemetry({ tracerProvider, captureContent: true })],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await open.evaluate(open.prompt(Desk), { ...run, adapter: new ScriptedModel(script) });
  const refund = exporter.getFinishedSpans().find(({ name }) => name === 'execute_tool refund');
  console.log(refund?.attributes['gen_ai.tool.call.arguments']);
  console.log(refund?.attributes['gen_ai.tool.call.result']);
  assert.ok(!JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes)).includes('DE02 1203'));

  await Promise.all([app.close(), open.close(), tracerProvider.shutdown(), meterProvider.shutdown()]);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
