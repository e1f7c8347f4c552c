import fc from 'fast-check';
import {
  type ApplicationOptions,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Message,
  type ModelAdapter,
  type ModelRequest,
  Param,
  readTranscript,
  Session,
  ToolRefusal,
  writeTranscript,
} from 'toolwright';
import { SetVisibilityOverride } from 'toolwright/conversations';
import type { CompletionChecker } from 'toolwright/policies';
import {
  ReplayDivergenceError,
  ReplayModel,
  type ReplayOptions,
  ScriptedModel,
  type ScriptStep,
} from 'toolwright/testing';

class Sum {
  @Param('Left') a!: number;
  @Param('Right') b!: number;
}

class Key {
  @Param({ description: 'Key of the door', secret: true }) key!: string;
}

/** Changes to the usual desk. */
interface Changes extends Pick<ApplicationOptions, 'redact'> {
  readonly template?: string;
  readonly add?: (a: number, b: number) => number;
  readonly tool?: string;
  readonly chapter?: string;
  readonly refuses?: CompletionChecker;
  readonly opens?: (key: string) => string;
}

async function desk({
  template = 'Add.',
  add = (a, b) => a + b,
  tool = 'add',
  chapter = 'Minus.',
  ...more
}: Changes = {}) {
  const { refuses, opens = () => 'Open.', redact } = more;
  const adding = defineTool({ name: tool, description: 'Adds.', params: Sum, handler: ({ a, b }: Sum) => add(a, b) });
  const door = defineTool({
    name: 'door',
    description: 'Opens it.',
    params: Key,
    handler: ({ key }: Key) => opens(key),
  });
  const Desk = definePrompt({
    ns: 'a',
    key: 'b',
    completion: refuses === undefined ? [] : [refuses],
    sections: [
      defineSection({ key: 's', title: 'S', template, tools: [adding, door] }),
      defineSection({ key: 'more', title: 'M', visibility: 'summary', summary: 'Subtracting.', template: chapter }),
    ],
  });
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const app = await createApplication({ prompts: [Desk], redact, logger });
  return { app, prompt: app.prompt(Desk) };
}

const usual: readonly ScriptStep[] = [
  { text: 'Let me see.', toolCalls: [{ name: 'add', arguments: '{"a":1,"b":2}' }] },
  { toolCalls: [{ name: 'add', arguments: { a: 1, b: 'two' } }] },
  { text: 'Three.' },
];
const question = { role: 'user', content: 'Ünd?' } as const;

/** A transcript, through a file. */
async function recorded(script = usual, changes?: Changes): Promise<readonly Message[]> {
  const { app, prompt } = await desk(changes);
  const { transcript } = await app.evaluate(prompt, { adapter: new ScriptedModel(script), messages: [question] });
  return readTranscript(writeTranscript(transcript));
}

async function replayed(transcript: readonly Message[], changes?: Changes, options?: ReplayOptions) {
  const { app, prompt } = await desk(changes);
  const adapter = new ReplayModel(transcript, options);
  const response = await app.evaluate(prompt, { adapter, messages: [question] });
  adapter.assertEnded();
  return response;
}

/** The reported difference of a run. */
async function divergence(running: Promise<unknown>): Promise<ReplayDivergenceError> {
  const error: unknown = await running.catch((thrown: unknown) => thrown);
  if (!(error instanceof ReplayDivergenceError)) throw error;
  expect(error.code).toBe('E707');
  return error;
}

const opening: ScriptStep = {
  toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['more'], reason: 'r' } }],
};
const unlocking: ScriptStep = { toolCalls: [{ name: 'door', arguments: { key: 'sesame-7' } }] };

describe('a recorded run', () => {
  test('a recorded run comes through a file unchanged', async () => {
    const { app, prompt } = await desk();
    const { transcript } = await app.evaluate(prompt, { adapter: new ScriptedModel(usual), messages: [question] });
    expect(readTranscript(writeTranscript(transcript))).toEqual(JSON.parse(JSON.stringify(transcript)));
  });

  test('a recorded run is replayed to the same end', async () => {
    const transcript = await recorded();
    const again = await replayed(transcript);
    expect(again.text).toBe('Three.');
    expect(writeTranscript(again.transcript)).toBe(writeTranscript(transcript));
  });

  test('a recorded run answers every run of one conversation', async () => {
    const { app, prompt } = await desk();
    const both = new ScriptedModel([...usual, { text: 'Bye.' }]);
    const first = await app.evaluate(prompt, { adapter: both, messages: [question] });
    const messages = [...first.transcript.slice(1), { role: 'user', content: 'Thanks.' } as const];
    const { transcript } = await app.evaluate(prompt, { adapter: both, messages });
    const replay = new ReplayModel(transcript);
    await app.evaluate(prompt, { adapter: replay, messages: [question] });
    expect(() => {
      replay.assertEnded();
    }).toThrow('message 8');
    expect((await app.evaluate(prompt, { adapter: replay, messages })).text).toBe('Bye.');
    replay.assertEnded();
  });
});

test('content that a provider wants back is sent back in a replay as well', async () => {
  const { app, prompt } = await desk();
  const native = { provider: 'x', content: [{ type: 'thinking', signature: 's' }] };
  const script = new ScriptedModel(usual);
  const model: ModelAdapter = {
    name: 'thinking',
    complete: async (request) => ({ ...(await script.complete(request)), native }),
  };
  const { transcript } = await app.evaluate(prompt, { adapter: model, messages: [question] });
  const asked: ModelRequest[] = [];
  const replay = new ReplayModel(readTranscript(writeTranscript(transcript)));
  const adapter: ModelAdapter = {
    name: replay.name,
    complete: (request) => {
      asked.push(request);
      return replay.complete(request);
    },
  };
  await app.evaluate(prompt, { adapter, messages: [question] });
  expect(asked.at(-1)?.messages[2]).toMatchObject({ role: 'assistant', native });
});

describe('the first difference', () => {
  test('DUR-02 a difference in a run that is read as a stream is reported', async () => {
    const transcript = await recorded();
    const { app, prompt } = await desk({ add: (a, b) => a - b });
    const read = async (): Promise<void> => {
      const adapter = new ReplayModel(transcript);
      for await (const event of app.stream(prompt, { adapter, messages: [question] })) kinds.push(event.kind);
    };
    const kinds: string[] = [];
    expect((await divergence(read())).index).toBe(3);
    expect(kinds.slice(-2)).toEqual(['begun', 'outcome']);
  });

  test('DUR-02 a changed text of the prompt is reported', async () => {
    const error = await divergence(replayed(await recorded(), { template: 'Add and subtract.' }));
    expect(error.index).toBe(0);
    expect(error.message).toContain('message 1, the system message: content differs from character 17 on');
    expect(error.message).toContain('recorded: "## 1. S (s)\\n\\nAdd.\\n\\n## 2.');
    expect(error.message).toContain('came:     "## 1. S (s)\\n\\nAdd and subtract.\\n\\n## 2.');
  });

  test('DUR-02 a difference far behind in a long text is shown with its surroundings', async () => {
    const long = 'x'.repeat(500);
    const transcript = await recorded(usual, { template: `${long} Add. ${long}` });
    const { message } = await divergence(replayed(transcript, { template: `${long} Sub. ${long}` }));
    expect(message).toMatch(/recorded: "…x{29} Add\. x{65}…"\n {2}came: {5}"…x{29} Sub\. x{65}…"$/);
  });

  test('DUR-02 a changed result of a tool is reported, and nothing after it', async () => {
    const error = await divergence(replayed(await recorded(), { add: (a, b) => a - b }));
    expect(error.message).toContain('message 4, the answer of "add": content differs from character 1 on');
    expect(error.message).toContain('recorded: "3"\n  came:     "-1"');
    expect(error).toMatchObject({ index: 3, recorded: { content: '3' }, came: { content: '-1' } });
  });

  test('DUR-02 a tool that is gone', async () => {
    const { message } = await divergence(replayed(await recorded(), { tool: 'sum' }));
    expect(message).toContain('message 4, the answer of "add"');
    expect(message).toContain('came:     "There is no tool named \\"add\\".');
  });

  test('DUR-02 a tool that fails with the text of a success is a difference', async () => {
    const refusing = (): never => {
      throw new ToolRefusal('3');
    };
    const { message } = await divergence(replayed(await recorded(), { add: refusing }));
    expect(message).toContain('failed differs from character 1 on.\n  recorded: "false"\n  came:     "true"');
  });

  test('DUR-02 an additional request is reported', async () => {
    const refuses: CompletionChecker = { name: 'never', check: () => ({ complete: false, feedback: 'No.' }) };
    const error = await divergence(replayed(await recorded(), { refuses }));
    expect(error).toMatchObject({ index: 7, recorded: undefined, came: { role: 'user' } });
    expect(error.message).toContain('recorded: nothing more\n  came:     a message of the user, "[Your answer is not');
  });

  test('DUR-02 a missing message is reported', async () => {
    const { app, prompt } = await desk();
    const error = await divergence(app.evaluate(prompt, { adapter: new ReplayModel(await recorded()) }));
    expect(error).toMatchObject({ index: 1, recorded: question, came: 'request' });
    expect(error.message).toContain('came:     a request for an answer of the model');
  });

  test('DUR-02 a run that ends before its record', async () => {
    let asked = 0;
    const refuses: CompletionChecker = {
      name: 'once',
      check: () => (asked++ === 0 ? { complete: false, feedback: 'Count again.' } : { complete: true }),
    };
    const transcript = await recorded([{ text: 'Two.' }, { text: 'Three.' }], { refuses });
    const error = await divergence(replayed(transcript));
    expect(error).toMatchObject({ index: 3, came: 'end' });
    expect(error.message).toContain('came:     the end of the run');
  });

  test('DUR-02 an answer of another kind at its place is reported', async () => {
    const transcript = await recorded();
    const error = await divergence(replayed([...transcript.slice(0, 2), question, ...transcript.slice(2)]));
    expect(error).toMatchObject({ index: 2, recorded: question, came: 'request' });
  });
});

/** Turns of calls that succeed, fail, are refused, are unknown, or ask for sections. */
const turns: fc.Arbitrary<readonly ScriptStep[]> = fc.array(
  fc.record({
    text: fc.option(fc.string(), { nil: undefined }),
    toolCalls: fc.array(
      fc.oneof(
        fc.record({ name: fc.constant('add'), arguments: fc.record({ a: fc.integer(), b: fc.integer() }) }),
        fc.record({ name: fc.constant('add'), arguments: fc.string() }),
        fc.record({ name: fc.constantFrom('door', 'gone'), arguments: fc.record({ key: fc.string() }) }),
        fc.record({
          name: fc.constant('open_sections'),
          arguments: fc.record({ section_keys: fc.subarray(['more', 's', 'x']), reason: fc.string() }),
        }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { maxLength: 4 },
);

describe('any run', () => {
  test('any run is replayed to the same transcript; another result is noticed where it first shows', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (steps) => {
        const transcript = await recorded([...steps, { text: 'Done.' }]);
        expect(writeTranscript((await replayed(transcript)).transcript)).toBe(writeTranscript(transcript));
        const first = transcript.findIndex(({ role, ...rest }) => role === 'tool' && isSum(rest));
        const changes: Changes = { add: (a, b) => a + b + 1 };
        if (first < 0) await replayed(transcript, changes);
        else expect((await divergence(replayed(transcript, changes))).index).toBe(first);
      }),
      { numRuns: 30 },
    );
  });
});

function isSum(answer: object): boolean {
  const { name, failed } = answer as { readonly name?: string; readonly failed?: boolean };
  return name === 'add' && failed === false;
}

describe('a run in which sections were opened', () => {
  const script = [opening, { text: 'Minus.' }];

  test('a run in which sections were opened is replayed', async () => {
    const transcript = await recorded(script);
    expect((await replayed(transcript)).text).toBe('Minus.');
  });

  test('DUR-02 a replay differs where the text of the section does', async () => {
    const { message } = await divergence(replayed(await recorded(script), { chapter: 'Minus, or plus a negative.' }));
    expect(message).toContain('message 4, the answer of "open_sections"');
    expect(message).toContain('Minus, or plus');
  });

  test('DUR-02 a replay differs at once in a session that has opened the section before', async () => {
    const { app, prompt } = await desk();
    const session = new Session();
    session.dispatch(new SetVisibilityOverride('more', 'full'));
    const adapter = new ReplayModel(await recorded(script));
    const error = await divergence(app.evaluate(prompt, { adapter, session, messages: [question] }));
    expect(error.index).toBe(0);
  });
});

describe('a run with secrets', () => {
  const script = [unlocking, { text: 'It is open.' }];

  test('a run with secrets is replayed where the tool takes any secret', async () => {
    const transcript = await recorded(script);
    expect(JSON.stringify(transcript)).not.toContain('sesame');
    expect((await replayed(transcript)).text).toBe('It is open.');
  });

  test('DUR-02 a replay differs at the answer of a tool that needs the secret', async () => {
    const opens = (key: string): string => (key === 'sesame-7' ? 'Open.' : 'A wrong key.');
    const error = await divergence(replayed(await recorded(script, { opens }), { opens }));
    expect(error).toMatchObject({ index: 3, recorded: { content: 'Open.' }, came: { content: 'A wrong key.' } });
  });

  test('a run with secrets is compared as it would be recorded, with the hook of its application', async () => {
    const redact = (text: string): string => text.replaceAll('Add', '[verb]');
    const transcript = await recorded(usual, { redact });
    expect((await divergence(replayed(transcript, { redact }))).index).toBe(0);
    expect((await replayed(transcript, { redact }, { redact })).text).toBe('Three.');
  });
});

describe('a file', () => {
  test.each([
    ['nothing', ''],
    ['another file', '{"role":"user","content":"x"}\n'],
    ['a damaged line', `${JSON.stringify({ format: 'toolwright/transcript', version: 1 })}\n{"role":\n`],
    [
      'something else than a message',
      `${JSON.stringify({ format: 'toolwright/transcript', version: 1 })}\n{"roll":1}\n`,
    ],
  ])('readTranscript refuses %s', (_what, text) => {
    expect(() => readTranscript(text)).toThrow(expect.objectContaining({ code: 'E710' }) as Error);
  });
});
