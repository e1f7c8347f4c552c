import {
  createApplication,
  definePrompt,
  defineSection,
  type ModelRequest,
  ThrottleError,
  ToolwrightError,
} from 'toolwright';
import { fallback } from 'toolwright/adapters';
import { ModelSwitched } from 'toolwright/events';
import { ScriptedModel } from 'toolwright/testing';
import { silent } from '../support/silent';

const request = (content: string): ModelRequest => ({
  messages: [{ role: 'user', content }],
  toolSchemas: () => [],
  signal: new AbortController().signal,
});

describe('ScriptedModel', () => {
  test('ScriptedModel plays one line after the other, and keeps the requests', async () => {
    const model = new ScriptedModel([
      { text: 'One.' },
      { toolCalls: [{ name: 'act', arguments: {} }] },
      { text: 'Three.', toolCalls: [{ name: 'act', arguments: '{}', id: 'own' }], usage: { totalTokens: 3 } },
    ]);
    expect(await model.complete(request('a'))).toEqual({
      text: 'One.',
      toolCalls: [],
      finishReason: 'stop',
      usage: undefined,
    });
    const second = await model.complete(request('b'));
    expect(second).toMatchObject({ text: null, finishReason: 'tool_calls' });
    expect(second.toolCalls[0]).toMatchObject({ name: 'act', arguments: {} });
    expect(second.toolCalls[0]?.id).not.toBe('');
    expect(await model.complete(request('c'))).toMatchObject({ toolCalls: [{ id: 'own' }], usage: { totalTokens: 3 } });
    expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual(['a', 'b', 'c']);
  });

  test('ScriptedModel makes up an id of its own for every call', async () => {
    const calls = [
      { name: 'act', arguments: {} },
      { name: 'act', arguments: {} },
    ];
    const model = new ScriptedModel([{ toolCalls: calls }, { toolCalls: calls }]);
    const ids = [await model.complete(request('a')), await model.complete(request('b'))].flatMap(({ toolCalls }) =>
      toolCalls.map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(4);
  });

  test('one fallback takes two scripted models with names, and its event has both names', async () => {
    const prompt = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S', template: 'Help.' })],
    });
    const app = await createApplication({ prompts: [prompt], logger: silent });
    const down = () => {
      throw new ThrottleError('Busy.', { kind: 'overloaded', retrySafe: false });
    };
    const [first, second] = [
      new ScriptedModel([down], { name: 'scripted:first' }),
      new ScriptedModel([{ text: 'I answer.' }], { name: 'scripted:second' }),
    ];
    const switched: unknown[] = [];
    const { text } = await app.evaluate(app.prompt(prompt), {
      adapter: fallback([first, second]),
      messages: [{ role: 'user', content: 'Hello' }],
      onEvent: (event) => {
        if (event instanceof ModelSwitched) switched.push([event.from, event.to]);
      },
    });
    expect([text, switched]).toEqual(['I answer.', [['scripted:first', 'scripted:second']]]);
    expect(new ScriptedModel([]).name).toBe('scripted (not a model)');
    for (const name of ['', ' ', 7])
      expect(() => new ScriptedModel([], { name: name as string })).toThrow(
        expect.objectContaining({ code: 'E413' }) as Error,
      );
  });

  test('by position, ScriptedModel answers after as many turns as the conversation holds, with the same ids in each process', async () => {
    const script = [{ toolCalls: [{ name: 'act', arguments: {} }] }, { text: 'Two.' }, { text: 'Three.' }];
    const after = (answers: number): ModelRequest => ({
      ...request('a'),
      messages: Array.from({ length: 2 * answers + 1 }, (_, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: 'a',
      })),
    });
    const model = new ScriptedModel(script, { by: 'position' });
    expect((await model.complete(after(1))).text).toBe('Two.');
    const first = await model.complete(after(0));
    expect(first).toEqual(await new ScriptedModel(script, { by: 'position' }).complete(after(0)));
    expect((await model.complete(after(2))).text).toBe('Three.');
    await expect(model.complete(after(3))).rejects.toMatchObject({
      code: 'E703',
      message: expect.stringMatching(/3 turns.*turn 4/) as string,
    });
    expect(() => new ScriptedModel(script, { by: 'place' as never })).toThrow(
      expect.objectContaining({ code: 'E413' }) as Error,
    );
  });

  test('ScriptedModel lets a line read the request', async () => {
    const model = new ScriptedModel([({ messages }) => ({ text: `You said ${messages[0]?.content}.` })]);
    expect((await model.complete(request('hi'))).text).toBe('You said hi.');
  });

  test('ScriptedModel takes the finish reason that it is given', async () => {
    const model = new ScriptedModel([{ text: 'No.', finishReason: 'refusal' }]);
    expect((await model.complete(request('a'))).finishReason).toBe('refusal');
  });

  test('a ScriptedModel without lines left fails: E703 with how many lines it had', async () => {
    const model = new ScriptedModel([{ text: 'One.' }]);
    await model.complete(request('a'));
    const error: unknown = await model.complete(request('b')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolwrightError);
    expect(error).toMatchObject({ code: 'E703', message: expect.stringMatching(/1 turn.*turn 2/) as string });
  });

  test('the end of the script ends a run with that error', async () => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S' })] });
    const app = await createApplication({ prompts: [type] });
    await expect(app.evaluate(app.prompt(type), { adapter: new ScriptedModel([]) })).rejects.toMatchObject({
      code: 'E703',
    });
  });

  test('ScriptedModel says by its name that it is no model', () => {
    expect(new ScriptedModel([]).name).toContain('not a model');
  });
});
