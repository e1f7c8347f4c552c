import {
  Budget,
  BudgetTracker,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  type Message,
} from 'toolwright';
import { FakeClock, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { add, deskOf, rejection } from './desk';

const adding = { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 } }] };
const notes = (transcript: readonly Message[]) => transcript.filter(({ role }) => role === 'user');

async function run(script: readonly ScriptStep[], options: object = {}) {
  const { app, type } = await deskOf([add()]);
  const adapter = new ScriptedModel(script);
  return { adapter, running: app.evaluate(app.prompt(type), { adapter, ...options }) };
}

describe('the budget of a run', () => {
  test('the budget of a run is checked after each response; the error says which limit', async () => {
    const usage = { inputTokens: 50, outputTokens: 60 };
    const { running } = await run([{ text: 'x', usage }], { budget: new Budget({ maxTotalTokens: 100 }) });
    const error = await rejection(running);
    expect(error).toMatchObject({ phase: 'budget', code: 'E704', cause: { dimension: 'total_tokens' } });
  });

  test('the budget of a run is checked after the calls of a turn', async () => {
    const { running, adapter } = await run([adding, adding, { text: 'x' }], {
      budget: new Budget({ maxToolCalls: 1 }),
    });
    expect(await rejection(running)).toMatchObject({ phase: 'budget', cause: { dimension: 'tool_calls' } });
    expect(adapter.requests).toHaveLength(2);
  });

  test('the budget of a run is checked before a request', async () => {
    const tracker = new BudgetTracker(new Budget({ maxTotalTokens: 10 }));
    tracker.record('another run', { totalTokens: 11 });
    const { running, adapter } = await run([{ text: 'x' }], { budget: tracker });
    expect(await rejection(running)).toMatchObject({ phase: 'budget' });
    expect(adapter.requests).toHaveLength(0);
  });

  test('spent to the last is enough', async () => {
    const { running } = await run([{ text: 'x', usage: { totalTokens: 10 } }], {
      budget: new Budget({ maxTotalTokens: 10 }),
    });
    expect(await running).toMatchObject({ text: 'x' });
  });

  test('the deadline of a budget limits the run as well', async () => {
    const clock = new FakeClock();
    const slow = defineTool({ name: 'slow', description: 'Takes time.', handler: () => clock.advance(10_000) });
    const type = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [slow] })],
    });
    const app = await createApplication({ prompts: [type], clock });
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'slow', arguments: {} }] }, { text: 'x' }]);
    const budget = new Budget({ deadline: Deadline.in(5_000, clock) });
    expect(await rejection(app.evaluate(app.prompt(type), { adapter, budget }))).toMatchObject({
      phase: 'budget',
      cause: { dimension: 'deadline' },
    });
  });
});

describe('before a limit stops the run', () => {
  test('the model receives what is left, once, after the answers of its tools', async () => {
    const { running } = await run([adding, adding, adding, adding, { text: 'Done.' }], { maxTurns: 5 });
    const { transcript } = await running;
    expect(notes(transcript)).toHaveLength(1);
    expect(notes(transcript)[0]?.content).toContain('1 of 5 answers left');
    const index = transcript.findIndex(({ role }) => role === 'user');
    expect(transcript[index - 1]?.role).toBe('tool');
  });

  test('the message about a near limit also covers tokens', async () => {
    const { running } = await run(
      [
        { ...adding, usage: { totalTokens: 850 } },
        { text: 'Done.', usage: { totalTokens: 900 } },
      ],
      {
        budget: new Budget({ maxTotalTokens: 1_000 }),
      },
    );
    expect(notes((await running).transcript)[0]?.content).toContain('150 of 1000 tokens left');
  });

  test('a run with enough of everything receives no message', async () => {
    const { running } = await run([adding, { text: 'Done.' }], { budget: new Budget({ maxTotalTokens: 1_000 }) });
    expect(notes((await running).transcript)).toEqual([]);
  });
});
