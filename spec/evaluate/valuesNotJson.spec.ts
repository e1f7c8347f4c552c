// What is not JSON, and options of another kind, are refused with a code and every place.
import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { silent } from '../support/silent';

const run = (): number => 1;

async function desk() {
  const paid: string[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    requiresApproval: true,
    handler: () => `paid ${String(paid.push('once'))}`,
  });
  const prompt = definePrompt({
    ns: 'shop',
    key: 'desk',
    sections: [defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [pay] })],
  });
  const app = await createApplication({
    prompts: [prompt],
    logger: silent,
    approver: { approve: () => ({ kind: 'later' }) },
  });
  return { app, prompt: app.prompt(prompt), paid };
}

const options: Readonly<Record<string, readonly unknown[]>> = {
  after: [-1, 'abc', 1.5, Number.NaN, null, {}],
  onUnknown: ['never', 5, run],
  maxTurns: ['x', -1, Number.NaN, run],
  maxRefusedAnswers: ['x', run],
  temperature: ['hot', run, Number.NaN],
  stopSequences: [run, 'x', [run], [1, run]],
  overridesTag: [5, run],
  deadline: [5, run, {}],
  budget: [5, run, {}],
  signal: ['x', run, {}],
  onEvent: [5, {}],
  runMetadata: [5, run, { run }, { principal: 5 }, { a: [run] }],
  expansions: ['x', run],
  toolChoice: [5, 'x', { tool: 5 }, { tool: run }, {}],
  parallelToolCalls: ['x', run],
  session: [5, run, {}],
};
const cases = Object.entries(options).flatMap(([name, values]) => values.map((value) => [name, value] as const));

describe('options of runs', () => {
  test.each(cases)('%s: %p is E413, in a run and in a stream, and asks no model', async (name, value) => {
    const { app, prompt } = await desk();
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const given = { adapter, messages: [{ role: 'user', content: 'Hi' }], [name]: value } as never;
    await expect(app.evaluate(prompt, given)).rejects.toMatchObject({ code: 'E413' });
    await expect(app.evaluate(prompt, given)).rejects.toThrow(`app.evaluate: ${name}`);
    const read = async (): Promise<void> => {
      for await (const { kind } of app.stream(prompt, given)) expect(kind).toBe('none');
    };
    await expect(read()).rejects.toMatchObject({ code: 'E413' });
    expect(adapter.requests).toEqual([]);
  });

  test.each([5, '', run, {}])('the id %p of a run is E709', async (runId) => {
    const { app, prompt } = await desk();
    const given = { adapter: new ScriptedModel([{ text: 'Hello.' }]), runId } as never;
    await expect(app.evaluate(prompt, given)).rejects.toMatchObject({ code: 'E709' });
  });

  test('all faults of a list are named', async () => {
    const { app, prompt } = await desk();
    const given = { adapter: new ScriptedModel([]), stopSequences: [1, 'ok', run] } as never;
    await expect(app.evaluate(prompt, given)).rejects.toThrow(
      'stopSequences[0]: expected a text, got the number 1; stopSequences[2]: expected a text, got a function',
    );
  });

  test.each(['session', 'budget', 'deadline', 'signal'])(
    'an unusable option of a call is refused: %s',
    async (name) => {
      const { app, prompt } = await desk();
      const rendered = await prompt.render({ session: new Session() });
      const given = { [name]: run } as never;
      await expect(app.invoke(rendered, 'pay', {}, given)).rejects.toMatchObject({ code: 'E413' });
    },
  );
});

describe('messages', () => {
  const evaluate = async (messages: unknown): Promise<unknown> => {
    const { app, prompt } = await desk();
    return app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'Hello.' }]), messages } as never);
  };
  const call = { id: '1', name: 'pay', arguments: { a: [run, 1, run], b: Symbol('x') } };
  const answered = { role: 'tool', toolCallId: '1', name: 'pay', content: 'paid', failed: false };

  test('name every function in the arguments of a call', async () => {
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, toolCalls: [call] },
      answered,
    ];
    await expect(evaluate(messages)).rejects.toMatchObject({ code: 'E412' });
    await expect(evaluate(messages)).rejects.toThrow(
      /toolCalls\[0\]\.arguments\.a\[0\]: .*; .*arguments\.a\[2\]: .*; .*arguments\.b: /,
    );
  });

  test('name every function in what a provider returned', async () => {
    const native = { provider: 'x', content: [run, 1, run] };
    const messages = [
      { role: 'assistant', content: 'x', native },
      { role: 'user', content: 'y' },
    ];
    await expect(evaluate(messages)).rejects.toMatchObject({ code: 'E412' });
    await expect(evaluate(messages)).rejects.toThrow(/messages\[0\]\.native\.content\[0\].*content\[2\]/);
  });

  test('name every message that is wrong', async () => {
    const messages = [{ role: 'user' }, { role: 'user', content: 'x' }, { role: 'x' }, run];
    await expect(evaluate(messages)).rejects.toThrow(
      /messages\[0\]\.content: .*; messages\[2\]\.role: .*; messages\[3\]: /,
    );
  });
});

test('arguments of a call name every function', async () => {
  const { app, prompt, paid } = await desk();
  const rendered = await prompt.render({ session: new Session() });
  const { text } = await app.invoke(rendered, 'pay', { list: [run, 1, run], one: run });
  for (const place of ['list[0]', 'list[2]', 'one'])
    expect(text).toContain(`- ${place}: expected JSON, got a function`);
  expect(paid).toEqual([]);
});

test('the input of a durable run names every function', async () => {
  const { app, prompt } = await desk();
  const runs = await openRuns(app, {
    store: new MemoryRuns(),
    prepare: () => ({ prompt, adapter: new ScriptedModel([{ text: 'Hello.' }]) }),
  });
  const started = runs.start({ input: [run, { a: run }, 1] as never, messages: [] });
  await expect(started).rejects.toMatchObject({ code: 'E413' });
  await expect(started).rejects.toThrow(/input\[0\]: .*; input\[1\]\.a: /);
  await runs.drain(100);
});

test.each([null, undefined, run, 5, { kind: run }, { kind: 'denied', reason: run }, { kind: 'approved', by: [run] }])(
  'the reply %p is E735, and the question stays open',
  async (reply) => {
    const { app, prompt } = await desk();
    const conversation = new Conversation();
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'pay', arguments: {} }] }]);
    const messages = [{ role: 'user', content: 'Pay.' }] as const;
    await app.evaluate(prompt, { adapter, conversation, session: new Session(), messages }).catch(() => undefined);
    const [question] = conversation.questions;
    await expect(conversation.reply(question?.id ?? '', reply as never)).rejects.toMatchObject({ code: 'E735' });
    expect(conversation.questions).toEqual([question]);
  },
);
