import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  readTranscript,
  writeTranscript,
  type Message,
} from 'toolwright';
import { ReplayModel, ScriptedModel } from 'toolwright/testing';

class Sum {
  @Param('Left') a!: number;
  @Param('Right') b!: number;
}

async function desk(add: (a: number, b: number) => number = (a, b) => a + b, template = 'Add.') {
  const tool = defineTool({ name: 'add', description: 'Adds.', params: Sum, handler: ({ a, b }: Sum) => add(a, b) });
  const Desk = definePrompt({
    ns: 'a',
    key: 'b',
    sections: [defineSection({ key: 's', title: 'S', template, tools: [tool] })],
  });
  const app = await createApplication({ prompts: [Desk] });
  return { app, prompt: app.prompt(Desk) };
}

async function recorded(): Promise<readonly Message[]> {
  const { app, prompt } = await desk();
  const adapter = new ScriptedModel([
    { text: 'Let me see.', toolCalls: [{ name: 'add', arguments: '{"a":1,"b":2}' }] },
    { toolCalls: [{ name: 'add', arguments: { a: 1, b: 'two' } }] },
    { text: 'Three.' },
  ]);
  return (await app.evaluate(prompt, { adapter, messages: [{ role: 'user', content: 'Ünd?' }] })).transcript;
}

describe('a recorded run', () => {
  test('comes through a file unchanged', async () => {
    const transcript = await recorded();
    expect(readTranscript(writeTranscript(transcript))).toEqual(JSON.parse(JSON.stringify(transcript)));
  });

  test('is played again to the same end', async () => {
    const transcript = readTranscript(writeTranscript(await recorded()));
    const { app, prompt } = await desk();
    const again = await app.evaluate(prompt, {
      adapter: new ReplayModel(transcript),
      messages: [{ role: 'user', content: 'Ünd?' }],
    });
    expect(again.text).toBe('Three.');
    expect(writeTranscript(again.transcript)).toBe(writeTranscript(transcript));
  });

  test.each([
    ['a tool that answers otherwise', desk((a, b) => a - b), 'message 4'],
    ['another prompt', desk(undefined, 'Subtract.'), 'message 1'],
  ])('DUR-02 %s: the first difference is told', async (_what, other, where) => {
    const transcript = await recorded();
    const { app, prompt } = await other;
    const running = app.evaluate(prompt, {
      adapter: new ReplayModel(transcript),
      messages: [{ role: 'user', content: 'Ünd?' }],
    });
    await expect(running).rejects.toMatchObject({ code: 'E707' });
    await expect(running).rejects.toThrow(where);
  });

  test.each([
    ['nothing', ''],
    ['another file', '{"role":"user","content":"x"}\n'],
    ['a damaged line', `${JSON.stringify({ format: 'toolwright/transcript', version: 1 })}\n{"role":\n`],
    [
      'something else than a message',
      `${JSON.stringify({ format: 'toolwright/transcript', version: 1 })}\n{"roll":1}\n`,
    ],
  ])('%s is no transcript', (_what, text) => {
    expect(() => readTranscript(text)).toThrow(expect.objectContaining({ code: 'E710' }) as Error);
  });
});
