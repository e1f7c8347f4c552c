import {
  type BoundPrompt,
  Budget,
  BudgetTracker,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  type ToolContext,
  ToolResult,
} from 'toolwright';
import { StaticFeedback } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { PromptExecuted, ToolInvoked } from 'toolwright/events';

class Note {
  constructor(readonly text: string) {}
}

const note = defineTool({
  name: 'note',
  description: 'Notes.',
  handler: (_params: unknown, context: ToolContext) => context.session.dispatch(new Note('inner')),
});

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  hints: { readOnly: true },
  feedback: [new StaticFeedback('Look twice.', { everyCalls: 1 })],
  handler: (_params: unknown, context: ToolContext) => context.session.slice(Note).latest()?.text,
});

/** A prompt with a tool that lets the model answer another prompt, which has a tool that changes state. */
async function desk(
  after: (context: ToolContext) => ToolResult = () => ToolResult.ok(),
  calls: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[] = [
    { name: 'note', arguments: {} },
  ],
) {
  const Inner = definePrompt({
    ns: 'a',
    key: 'inner',
    sections: [defineSection({ key: 's', title: 'Inner', tools: [note, look] })],
  });
  const prompts: { inner?: BoundPrompt } = {};
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    handler: async (_params: unknown, context: ToolContext) => {
      context.session.dispatch(new Note('outer'));
      const { run: adapter } = context;
      if (adapter === null || prompts.inner === undefined) return ToolResult.error('no model');
      const { text } = await adapter.evaluate(prompts.inner, { messages: [{ role: 'user', content: 'Well?' }] });
      const result = after(context);
      return result.success ? ToolResult.ok(text) : result;
    },
  });
  const Outer = definePrompt({
    ns: 'a',
    key: 'outer',
    sections: [defineSection({ key: 's', title: 'Outer', tools: [ask] })],
  });
  const app = await createApplication({ prompts: [Outer, Inner] });
  prompts.inner = app.prompt(Inner);
  const session = new Session();
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'ask', arguments: {} }], usage: { totalTokens: 10 } },
    { toolCalls: calls, usage: { totalTokens: 20 } },
    { text: 'inner answer', usage: { totalTokens: 30 } },
    { text: 'outer answer', usage: { totalTokens: 40 } },
  ]);
  const notes = (): readonly string[] =>
    session
      .slice(Note)
      .all()
      .map(({ text }) => text);
  return { app, session, adapter, notes, prompt: app.prompt(Outer) };
}

describe('a nested run', () => {
  test('a nested run asks the same model, and what its tools do, they do in the call', async () => {
    const { app, session, adapter, notes, prompt } = await desk();
    const response = await app.evaluate(prompt, { adapter, session });
    expect(response.text).toBe('outer answer');
    expect(adapter.requests[1]?.messages).toMatchObject([
      { role: 'system', content: '## 1. Inner (s)' },
      { role: 'user', content: 'Well?' },
    ]);
    expect(response.transcript.find(({ role }) => role === 'tool')?.content).toBe('inner answer');
    expect(notes()).toEqual(['outer', 'inner']);
  });

  test('read-only calls of a nested run run together, see what the call has done, and are followed by no feedback', async () => {
    const looks = [1, 2].map(() => ({ name: 'look', arguments: {} }));
    const { app, session, adapter, prompt } = await desk(undefined, looks);
    expect((await app.evaluate(prompt, { adapter, session })).text).toBe('outer answer');
    const seen = adapter.requests[2]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(seen).toEqual(['outer', 'outer']);
  });

  test('a nested run is rolled back with the call that it is part of', async () => {
    const { app, session, adapter, notes, prompt } = await desk(() => ToolResult.error('changed my mind'));
    await app.evaluate(prompt, { adapter, session });
    expect(notes()).toEqual([]);
  });

  test('a nested run spends the budget of its run', async () => {
    const { app, session, adapter, prompt } = await desk();
    const budget = new BudgetTracker(new Budget({ maxTotalTokens: 1_000 }));
    await app.evaluate(prompt, { adapter, session, budget });
    expect(budget.consumed.total).toBe(70);
    expect(budget.toolCalls).toBe(2);
  });

  test('a nested run shows its events with the run’s own context', async () => {
    const { app, session, adapter, prompt } = await desk();
    const seen: string[] = [];
    for (const Event of [PromptExecuted, ToolInvoked])
      app.eventBus.subscribe(Event as typeof PromptExecuted, ({ runMetadata, ...event }) => {
        seen.push(`${event.constructor.name} ${runMetadata['trace'] ?? ''}`);
      });
    await app.evaluate(prompt, { adapter, session, runMetadata: { trace: 't1' } });
    expect(seen).toHaveLength(4);
    expect(seen.every((line) => line.endsWith(' t1'))).toBe(true);
  });

  test('a nested run needs a model: a call without a run has none', async () => {
    const { app, session, prompt } = await desk();
    const outcome = await app.invoke(await prompt.render(), 'ask', {}, { session });
    expect(outcome).toMatchObject({ kind: 'failed', text: 'no model' });
  });

  test('a prompt of nowhere is refused', async () => {
    const { app, session, adapter, prompt } = await desk((context) => {
      void context.run?.evaluate({ ns: 'a', key: 'outer' } as never).catch((error: unknown) => {
        faults.push(error);
      });
      return ToolResult.ok();
    });
    const faults: unknown[] = [];
    await app.evaluate(prompt, { adapter, session });
    expect(faults).toMatchObject([{ phase: 'tool', remedy: expect.stringContaining('app.prompt') as string }]);
  });
});
