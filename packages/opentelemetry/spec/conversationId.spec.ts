import { createApplication, definePrompt, defineSection, defineTool, Session, type ToolContext } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { openTelemetry, runTraces } from '@toolwright/opentelemetry';
import { programs, QuickJsSandbox } from '@toolwright/programs';
import { silent } from '../../../spec/support/silent';
import { answer, calling, getOrder, named, Trace, tracedDesk } from './desk';

jest.setTimeout(60_000);

/** The ids that the spans of a trace name, by the names of the spans. */
const idsOf = ({ spans }: Trace): Readonly<Record<string, unknown>> =>
  Object.fromEntries(spans.map(({ name, attributes }) => [name, attributes['gen_ai.conversation.id']]));

describe('gen_ai.conversation.id', () => {
  test('gen_ai.conversation.id is the id of the conversation on the spans of runs, requests and calls, whatever the session', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const conversation = new Conversation({ id: 'talk-1' });
    for (const id of ['s-1', 's-2']) {
      const messages = [{ role: 'user', content: 'Where is it?' }] as const;
      const adapter = named([calling('#1'), answer]);
      await app.evaluate(prompt, { adapter, messages, conversation, session: new Session({ id }) });
    }
    expect(trace.spans).toHaveLength(8);
    expect(new Set(trace.spans.map(({ attributes }) => attributes['gen_ai.conversation.id']))).toEqual(
      new Set(['talk-1']),
    );
  });

  test('gen_ai.conversation.id is on the spans of a stream, of a run that failed, and of the run that goes on after it', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const conversation = new Conversation({ id: 'talk-2' });
    const messages = [{ role: 'user', content: 'Where is it?' }] as const;
    const failing = app.evaluate(prompt, { adapter: named([calling('#broken')]), messages, conversation });
    await expect(failing).rejects.toThrow();
    for await (const _event of app.stream(prompt, { adapter: named([answer]), conversation })) {
      // Reading is enough.
    }
    expect(idsOf(trace)).toEqual({
      'invoke_agent shop/desk': 'talk-2',
      'chat gpt-5-mini': 'talk-2',
      'execute_tool get_order': 'talk-2',
    });
  });

  test('gen_ai.conversation.id is on the spans of what a call does in turn: calls, nested runs, programs and their calls', async () => {
    const sandbox = new QuickJsSandbox({ workers: 1 });
    const summary = definePrompt({
      ns: 'shop',
      key: 'summary',
      sections: [defineSection({ key: 's', title: 'S', template: 'Sum up.' })],
    });
    const sumUp = defineTool({
      name: 'sum_up',
      description: 'Sums up.',
      handler: async (_params: unknown, context: ToolContext) => {
        await context.callTool({ id: 'inner', name: 'get_order', arguments: { orderId: '#1' } });
        return (await context.run?.evaluate(desk.app.prompt(summary)))?.text ?? '';
      },
    });
    const desk = await tracedDesk([getOrder, sumUp], {
      others: [summary],
      prompt: { extensions: [programs({ sandbox, check: 'syntax' })] },
    });
    const script = [
      { toolCalls: [{ name: 'sum_up', arguments: {} }] },
      { text: 'In short.' },
      { toolCalls: [{ name: 'execute_program', arguments: { code: 'return await get_order({ orderId: "#1" });' } }] },
      answer,
    ];
    const conversation = new Conversation({ id: 'talk-3' });
    const messages = [{ role: 'user', content: 'Sum up.' }] as const;
    await desk.app.evaluate(desk.prompt, { adapter: named(script), messages, conversation });
    await sandbox.close();
    expect(idsOf(desk.trace)).toEqual({
      'invoke_agent shop/desk': 'talk-3',
      'chat gpt-5-mini': 'talk-3',
      'execute_tool sum_up': 'talk-3',
      'execute_tool get_order': 'talk-3',
      'invoke_agent shop/summary': 'talk-3',
      'execute_tool execute_program': 'talk-3',
      'toolwright.program': 'talk-3',
    });
  });

  test('gen_ai.conversation.id is on every span of a durable run, and on the one that begins its trace', async () => {
    const trace = new Trace();
    const section = defineSection({ key: 'orders', title: 'Orders', template: 'Be brief.', tools: [getOrder] });
    const Desk = definePrompt({ ns: 'shop', key: 'desk', sections: [section] });
    const tracerProvider = trace.provider;
    const app = await createApplication({
      prompts: [Desk],
      logger: silent,
      interceptors: [openTelemetry({ tracerProvider })],
    });
    const runs = await openRuns(app, {
      store: new MemoryRuns(),
      traceparent: runTraces({ tracerProvider }),
      prepare: () => ({ prompt: Desk, adapter: new ScriptedModel([calling('#1'), answer]) }),
    });
    const { id } = await runs.start({ conversation: 'talk-4', messages: [{ role: 'user', content: 'Where is it?' }] });
    await runs.result(id);
    const again = await runs.retry(id);
    await runs.result(again.id);
    await runs.drain(1_000);
    const names = ['chat', 'chat', 'create_run', 'execute_tool get_order', 'invoke_agent shop/desk'];
    const namesIn = (conversation: string): readonly string[] =>
      trace.spans
        .filter(({ attributes }) => attributes['gen_ai.conversation.id'] === conversation)
        .map(({ name }) => name)
        .sort();
    expect(namesIn('talk-4')).toEqual(names);
    expect(namesIn(again.conversation)).toEqual(names);
    expect(trace.spans).toHaveLength(2 * names.length);
  });

  test('gen_ai.conversation.id is the one that the host names for a loop of its own, and the session without any', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const rendered = await prompt.render();
    const session = new Session({ id: 's-1' });
    const invoke = (runMetadata?: Readonly<Record<string, string>>) =>
      app.invoke(rendered, 'get_order', { orderId: '#1' }, { session, runMetadata });
    await invoke({ conversation: 'talk-5' });
    await invoke();
    expect(trace.spans.map(({ attributes }) => attributes['gen_ai.conversation.id'])).toEqual(['talk-5', 's-1']);
  });
});
