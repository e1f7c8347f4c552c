import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createApplication, definePrompt, defineSection } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { openRuns } from '@toolwright/durable';
import { openTelemetry, runTraces } from '@toolwright/opentelemetry';
import { silent } from '../../../../spec/support/silent';
import { sqliteRuns } from '../support/sqliteRuns';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-traces-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run is one trace, from the process that started it to the one that worked on it', async () => {
  const exporter = new InMemorySpanExporter();
  const providerOf = () => new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const Desk = definePrompt({
    ns: 'test',
    key: 'desk',
    sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Help.' })],
  });
  const open = async (work: boolean) => {
    const tracerProvider = providerOf();
    const app = await createApplication({
      prompts: [Desk],
      logger: silent,
      keys: ['the key of both processes, for this spec'],
      interceptors: [openTelemetry({ tracerProvider })],
    });
    return openRuns(app, {
      ...{ store: sqliteRuns(join(folder, 'runs.db')), work, pollMs: 20, traceparent: runTraces({ tracerProvider }) },
      prepare: () => ({ prompt: Desk, adapter: new ScriptedModel([{ text: 'Yes.' }]) }),
    });
  };
  const [starter, worker] = [await open(false), await open(true)];
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  const runs = [await starter.start({ messages }), await starter.start({ messages })];
  await Promise.all(runs.map(({ id }) => worker.result(id)));
  await Promise.all([starter.drain(1_000), worker.drain(1_000)]);
  const spans = exporter.getFinishedSpans();
  const created = spans.filter(({ name }) => name === 'create_run');
  expect(created).toHaveLength(2);
  for (const span of created) {
    const { traceId, spanId } = span.spanContext();
    const inTrace = spans.filter((one) => one.spanContext().traceId === traceId).map(({ name }) => name);
    expect(inTrace).toEqual(expect.arrayContaining(['create_run', 'invoke_agent test/desk', 'chat']));
    const run = spans.find((one) => one.name.startsWith('invoke_agent') && one.spanContext().traceId === traceId);
    expect(run?.parentSpanContext?.spanId).toBe(spanId);
  }
  expect(new Set(created.map((span) => span.spanContext().traceId)).size).toBe(2);
});
