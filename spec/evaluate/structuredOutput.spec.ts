import {
  type ApplicationOptions,
  Budget,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  Field,
  type ModelAdapter,
  type ModelRequest,
  OutputParseError,
  PromptEvaluationError,
  type PromptOptions,
  Session,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ReplayModel, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { PromptExecuted } from 'toolwright/events';
import type { OutputReference } from 'toolwright/types';
import { rejection } from './desk';
import { reopened } from '../support/reopened';
import { silent } from '../support/silent';

class Review {
  @Field({ description: '1 to 5', integer: true, min: 1, max: 5 }) stars!: number;
  @Field('Text') shortText = '';
}
const GOOD = '{"stars":4}';
const BAD = '{"stars":9}';

/** An application with one prompt, whose model plays a script. */
async function desk(prompt: Partial<PromptOptions>, options: Partial<ApplicationOptions> = {}) {
  const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Judge it.', tools: [ping] });
  const type = definePrompt({ ns: 'spec', key: 'desk', heading: 'plain', sections: [section], ...prompt });
  const app = await createApplication({ prompts: [type], logger: silent, ...options });
  const run = <const O extends OutputReference | undefined = undefined>(
    script: readonly ScriptStep[],
    of: Partial<EvaluateOptions<O>> = {},
  ) => {
    const adapter = new ScriptedModel(script);
    return Object.assign(app.evaluate(app.prompt(type), { adapter, ...of }), { adapter });
  };
  return { app, type, run };
}
const texts = (...said: readonly string[]): readonly ScriptStep[] => said.map((text) => ({ text }));
const PING: ScriptStep = { toolCalls: [{ name: 'ping', arguments: {} }] };

/** The last message before the next request. */
const told = (request: ModelRequest | undefined): unknown => request?.messages.at(-1);

describe('the output of a run', () => {
  test('the output of a run is read from the text, as the prompt declares it', async () => {
    const { run } = await desk({ output: Review });
    const response = await run(texts(`Well: ${GOOD}`));
    expect(response.output).toBeInstanceOf(Review);
    expect(response).toMatchObject({ output: { stars: 4, shortText: '' }, text: `Well: ${GOOD}`, turns: 1 });
  });

  test('the output of a run is a list where one is declared', async () => {
    const { run } = await desk({ output: { array: () => Review } });
    expect((await run(texts(`[${GOOD}]`))).output).toEqual([{ stars: 4, shortText: '' }]);
  });

  test('the output of a run is undefined where none is declared, and the text is not looked at', async () => {
    const { run } = await desk({});
    expect(await run(texts('Fine.'))).toMatchObject({ text: 'Fine.', output: undefined });
  });

  test('the output that the run requests goes before the one that the prompt declares', async () => {
    const { run } = await desk({ output: { array: Review } });
    const { output } = await run(texts(GOOD), { output: Review });
    expect(output.stars).toBe(4);
    const { output: list } = await run(texts(`{"items":[${GOOD}]}`), { output: { array: Review } });
    expect(list.map(({ stars }) => stars)).toEqual([4]);
  });

  test("the output of a run follows the application's options for names and conversion", async () => {
    const { run } = await desk({ output: Review }, { fieldNames: 'snake_case', coerce: true });
    const text = '{"stars":"4","short_text":"Fine"}';
    expect((await run(texts(text))).output).toEqual({ stars: 4, shortText: 'Fine' });
    expect((await run(texts(text), { output: Review })).output).toEqual({ stars: 4, shortText: 'Fine' });
  });

  test('the output may ignore keys that no field declares, wherever it is declared', async () => {
    const { run } = await desk({ output: Review, allowExtraKeys: true });
    expect((await run(texts('{"stars":4,"z":1}'))).output).toEqual({ stars: 4, shortText: '' });
    expect((await run(texts('{"items":[],"z":1}'), { output: { array: Review } })).output).toEqual([]);
  });

  test('the output is visible in the rendering', async () => {
    const { app, type } = await desk({ output: { array: Review }, allowExtraKeys: true });
    const rendered = await app.prompt(type).render();
    expect(rendered).toMatchObject({ outputType: Review, container: 'array', allowExtraKeys: true });
    const plain = await desk({});
    const other = await plain.app.prompt(plain.type).render();
    expect(other).toMatchObject({ outputType: null, container: null, allowExtraKeys: false });
    expect(other.text).toBe(rendered.text);
    expect(other.fingerprint).not.toBe(rendered.fingerprint);
  });
});

describe('an answer that cannot be read', () => {
  test('an unreadable answer is returned to the model once, with every issue', async () => {
    const { run } = await desk({ output: Review });
    const going = run(texts(BAD, GOOD));
    const { output, turns, transcript } = await going;
    expect({ output, turns }).toEqual({ output: { stars: 4, shortText: '' }, turns: 2 });
    expect(transcript.map(({ role }) => role)).toEqual(['system', 'assistant', 'user', 'assistant']);
    expect(told(going.adapter.requests[1])).toEqual({
      role: 'user',
      note: 'application',
      content: expect.stringMatching(
        /^\[Your answer could not be read as Review:\n- stars: .+\nGive your whole answer again, corrected, as JSON and nothing else\.\]$/,
      ) as string,
    });
  });

  test('a second time ends the run', async () => {
    const { run } = await desk({ output: Review });
    const going = run(texts('Hm.', BAD, GOOD));
    const error = await rejection(going);
    expect(error instanceof OutputParseError).toBe(true);
    expect(error).toMatchObject({ name: 'OutputParseError', code: 'E530', rawText: BAD, place: 'Review' });
    expect((error as OutputParseError).issues).toMatchObject([{ path: 'stars', kind: 'constraint' }]);
    expect(going.adapter.requests).toHaveLength(2);
  });

  test('a second time ends the run, whatever tools were called in between', async () => {
    const { run } = await desk({ output: Review });
    expect(await rejection(run([{ text: BAD }, PING, { text: BAD }, { text: GOOD }]))).toMatchObject({ code: 'E530' });
  });

  test('an answer that cannot be read ends the run at once when no request is left', async () => {
    const { run } = await desk({ output: Review });
    expect(await rejection(run(texts(BAD, GOOD), { maxTurns: 1 }))).toMatchObject({ code: 'E530' });
  });

  test('an answer that cannot be read counts against the budget', async () => {
    const { run } = await desk({ output: Review });
    const usage = { inputTokens: 60, outputTokens: 40, totalTokens: 100 };
    const script = [BAD, GOOD].map((text, turn) => ({ text, usage: { ...usage, totalTokens: 100 * (turn + 1) } }));
    const error = await rejection(run(script, { budget: new Budget({ maxTotalTokens: 150 }) }));
    expect(error instanceof PromptEvaluationError).toBe(true);
    expect(error).toMatchObject({ phase: 'budget' });
  });

  test('an answer without text is unreadable, too', async () => {
    const { run } = await desk({ output: Review });
    expect(await rejection(run([{}, {}]))).toMatchObject({ code: 'E530', rawText: '' });
  });

  test.each([
    ['refusal', 'the model declined to answer'],
    ['length', 'the answer was cut short by the output limit'],
    ['content_filter', 'the answer was stopped by a content filter'],
  ] as const)('an unreadable answer of a model that ended by %s is not requested again', async (finishReason, why) => {
    const { run } = await desk({ output: Review });
    const going = run([{ text: '{"stars":4,"shor', finishReason }, { text: GOOD }]);
    const error = (await rejection(going)) as OutputParseError;
    expect(error).toMatchObject({ name: 'OutputParseError', code: 'E531', rawText: '{"stars":4,"shor' });
    expect(error.message).toMatch(new RegExp(`^E531 Review: ${why}; the answer is not Review: expected JSON`));
    expect(going.adapter.requests).toHaveLength(1);
  });

  test('a whole value is accepted, even when what follows it was cut short', async () => {
    const { run } = await desk({ output: Review });
    const response = await run([{ text: `${GOOD} I hope that thi`, finishReason: 'length' }]);
    expect(response).toMatchObject({ output: { stars: 4 }, finishReason: 'length' });
  });

  test('an unreadable answer is reported in bounded length, however much is wrong with it', async () => {
    const { run } = await desk({ output: { array: Review } });
    const going = run(texts(`[${Array.from({ length: 500 }, () => BAD).join()}]`, '[]'));
    await going;
    const { content } = told(going.adapter.requests[1]) as { content: string };
    expect(content.length).toBeLessThan(2_500);
    expect(content).toMatch(/\n- and \d+ more\n/);
  });
});

describe('with completion checkers', () => {
  test('the answer is read first, and they see what it was read into', async () => {
    const seen: unknown[] = [];
    const checker = {
      name: 'kind',
      check: ({ output }: { readonly output?: unknown }) => {
        seen.push(output);
        const complete = (output as Review).stars > 4;
        return complete ? { complete } : { complete, feedback: 'Be kinder.' };
      },
    };
    const { run } = await desk({ output: Review, completion: [checker] });
    const { output, turns } = await run(texts(BAD, GOOD, BAD, '{"stars":5}'));
    expect({ output, turns }).toEqual({ output: { stars: 5, shortText: '' }, turns: 4 });
    expect(seen).toEqual([
      { stars: 4, shortText: '' },
      { stars: 5, shortText: '' },
    ]);
  });
});

describe('the schema that the provider receives', () => {
  /** Takes no schemas. */
  class Plain implements ModelAdapter {
    readonly name = 'plain';
    readonly model: ScriptedModel;
    constructor(script: readonly ScriptStep[]) {
      this.model = new ScriptedModel(script);
    }
    complete(request: ModelRequest) {
      return this.model.complete(request);
    }
  }

  test('an adapter that takes a schema receives it, and the text stays as it is', async () => {
    const { run } = await desk({ output: Review });
    const going = run(texts(GOOD));
    await going;
    const [request] = going.adapter.requests;
    expect(request?.messages).toEqual([{ role: 'system', content: '## Desk\n\nJudge it.' }]);
    expect(request?.outputSchema?.('json-schema')).toEqual({
      name: 'Review',
      schema: {
        type: 'object',
        properties: {
          stars: { type: 'integer', minimum: 1, maximum: 5, description: '1 to 5' },
          shortText: { type: 'string', description: 'Text', default: '' },
        },
        required: ['stars'],
        additionalProperties: false,
      },
      strict: false,
      losses: [],
    });
    const strict = request?.outputSchema?.('openai', { strict: true });
    expect(strict).toMatchObject({ strict: true, schema: { required: ['stars', 'shortText'] } });
    expect(request?.outputSchema?.('openai', { strict: true })).toBe(strict);
  });

  test('the schema that the provider receives wraps a list in an object', async () => {
    const { run } = await desk({ output: { array: Review } });
    const going = run(texts('[]'));
    await going;
    expect(going.adapter.requests[0]?.outputSchema?.('json-schema').schema).toMatchObject({
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'object', required: ['stars'] } } },
      required: ['items'],
      additionalProperties: false,
    });
  });

  test('the schema is described at the end of the system message, for any other adapter; the transcript does without', async () => {
    const { app, type } = await desk({ output: Review });
    const adapter = new Plain([PING, { text: GOOD }]);
    const { transcript } = await app.evaluate(app.prompt(type), { adapter });
    for (const { messages } of adapter.model.requests) {
      expect(messages[0]?.content).toMatch(
        /^## Desk\n\nJudge it\.\n\nGive your final answer as JSON and nothing else\. It must fit this JSON Schema:\n\n\{"type":"object",/,
      );
    }
    expect(transcript[0]).toEqual({ role: 'system', content: '## Desk\n\nJudge it.' });
  });

  test('the provider receives no schema where any text will do', async () => {
    const { app, type } = await desk({});
    const adapter = new Plain(texts('Fine.'));
    await app.evaluate(app.prompt(type), { adapter });
    expect(adapter.model.requests[0]?.messages[0]?.content).toBe('## Desk\n\nJudge it.');
    expect(adapter.model.requests[0]?.outputSchema).toBeUndefined();
  });

  test('the output does not depend on the adapter when the run is replayed', async () => {
    const { app, type } = await desk({ output: Review });
    const first = await app.evaluate(app.prompt(type), { adapter: new Plain(texts(BAD, GOOD)) });
    const again = await app.evaluate(app.prompt(type), { adapter: new ReplayModel(first.transcript) });
    expect(again.output).toEqual(first.output);
    expect(again.transcript).toEqual(first.transcript);
  });
});

describe('a run that is continued', () => {
  test('a run that is continued reads the recorded answers in the same way', async () => {
    const { app, type } = await desk({ output: Review });
    const conversation = new Conversation();
    const dies = new ScriptedModel([
      { text: BAD },
      () => {
        throw new TypeError('the process dies');
      },
    ]);
    await rejection(app.evaluate(app.prompt(type), { adapter: dies, session: new Session(), conversation }));
    const adapter = new ScriptedModel(texts(GOOD));
    const options = { adapter, session: new Session(), conversation: reopened(conversation) };
    expect(await app.evaluate(app.prompt(type), options)).toMatchObject({ output: { stars: 4 }, turns: 2 });
    expect(told(adapter.requests[0])).toMatchObject({
      content: expect.stringContaining('could not be read') as string,
    });
  });
});

describe('a run within a call', () => {
  test('a run within a call reads its own prompt, and fails the call when it cannot', async () => {
    const inner = definePrompt({ ns: 'spec', key: 'inner', sections: [], output: Review });
    const outputs: unknown[] = [];
    const judge = defineTool({
      name: 'judge',
      description: 'Judges.',
      handler: async (_params, { run: adapter }) => {
        const response = await adapter?.evaluate(app.prompt(inner));
        outputs.push(response?.output);
        return 'judged';
      },
    });
    const section = defineSection({ key: 'desk', title: 'Desk', tools: [judge] });
    const outer = definePrompt({ ns: 'spec', key: 'outer', sections: [section] });
    const app = await createApplication({ prompts: [outer, inner], logger: silent });
    const call: ScriptStep = { toolCalls: [{ name: 'judge', arguments: {} }] };
    const script = [call, { text: GOOD }, call, { text: BAD }, { text: BAD }, { text: 'Done.' }];
    const response = await app.evaluate(app.prompt(outer), { adapter: new ScriptedModel(script) });
    expect(outputs).toEqual([{ stars: 4, shortText: '' }]);
    expect(response).toMatchObject({ text: 'Done.', output: undefined });
    const tools = response.transcript.filter(({ role }) => role === 'tool');
    expect(tools).toMatchObject([
      { failed: false },
      { failed: true, content: expect.stringContaining('E530') as string },
    ]);
  });
});

test('the event of a run that came to no output is not published', async () => {
  const { app, run } = await desk({ output: Review });
  const seen: unknown[] = [];
  app.eventBus.subscribe(PromptExecuted, ({ text }) => void seen.push(text));
  await rejection(run(texts(BAD, BAD)));
  await run(texts(GOOD));
  expect(seen).toEqual([GOOD]);
});

describe('an invalid output', () => {
  class Untold {
    stars = 4;
  }
  class Faulty {
    @Field('What') what!: unknown;
  }
  const wrong: readonly (readonly [what: string, output: unknown, code: string])[] = [
    ['a text', 'Review', 'E312'],
    ['null', null, 'E312'],
    ['a list of a class', [Review], 'E312'],
    ['more than an array', { array: Review, of: Review }, 'E312'],
    ['an array of nothing', { array: undefined }, 'E307'],
    ['a thunk of nothing', () => undefined, 'E307'],
    ['a class without fields', class Bare {}, 'E312'],
    ['a class whose fields carry no decorator', Untold, 'E221'],
    ['a built-in class', String, 'E312'],
    ['a class with faults', Faulty, 'E201'],
  ];
  test.each(wrong)('%s is refused at creation', async (_what, output, code) => {
    const error = await rejection(desk({ output: output as never }));
    expect(error).toMatchObject({ name: 'PromptValidationError', code });
  });

  test.each(wrong)('%s is refused before the first request', async (_what, output, code) => {
    const { run } = await desk({});
    const going = run(texts(GOOD), { output: output as never });
    expect(await rejection(going)).toMatchObject({ name: 'PromptValidationError', code });
    expect(going.adapter.requests).toEqual([]);
  });

  test('allowExtraKeys is true or false', async () => {
    const error = await rejection(desk({ allowExtraKeys: 'yes' as never }));
    expect(error).toMatchObject({ name: 'PromptValidationError', code: 'E312', placeholder: 'allowExtraKeys' });
  });
});
