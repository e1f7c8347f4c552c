import OpenAI from 'openai';
import {
  createApplication,
  Field,
  Param,
  Prompt,
  Section,
  Session,
  type StreamEvent,
  Tool,
  ToolContext,
} from 'toolwright';
import { OpenAIResponsesAdapter, type OpenAIResponsesOptions } from '@toolwright/openai';
import { KEY } from '../support/client';
import type { Json } from '../support/json';
import { answer, ProviderDouble, raw, type ScriptedTurn } from '../support/ProviderDouble';
import { callItem, reasoningItem, responseOf, saidItem } from '../support/responses';
import { responsesWire } from '../support/responsesWire';

const running: ProviderDouble[] = [];
afterEach(() => Promise.all(running.splice(0).map((double) => double.stop())));

async function provider(options: Partial<OpenAIResponsesOptions>, ...script: readonly ScriptedTurn[]) {
  const double = await ProviderDouble.speaking(responsesWire, ...script);
  running.push(double);
  const client = new OpenAI({ apiKey: KEY, baseURL: double.baseURL, maxRetries: 0 });
  const adapter = new OpenAIResponsesAdapter({ client, model: 'gpt-5-mini', ...options });
  return { double, adapter, problems: () => double.requests.map(({ problems }) => problems) };
}

class Booked {
  constructor(readonly room: string) {}
}

async function house() {
  @Section({ title: 'Rooms', template: 'Book rooms.' })
  class Rooms {
    @Tool('Book a room.') book(@Param('room', 'Room') room: string, context: ToolContext) {
      context.session.dispatch(new Booked(room));
      return `Booked ${room}.`;
    }
    @Tool({ description: 'List the rooms.', hints: { readOnly: true } }) rooms() {
      return ['attic', 'cellar'];
    }
  }
  @Prompt({ ns: 'a', key: 'house', sections: [Rooms] })
  class House {}
  const app = await createApplication({ prompts: [House] });
  return { app, prompt: app.prompt(House), session: new Session() };
}

const whole = (output: readonly object[]): ScriptedTurn => raw(200, JSON.stringify(responseOf(output)));

/** Reasoning has another id in each answer. */
function withoutNative(event: unknown): unknown {
  return JSON.parse(JSON.stringify(event, (key, value: unknown) => (key === 'native' ? undefined : value)));
}

describe('a run over HTTP, against recorded answers', () => {
  const calls = ['attic', 'cellar'].map((room, index) => ({
    id: `call_${String(index)}`,
    name: 'book',
    arguments: JSON.stringify({ room }),
  }));
  const script = [answer({ content: 'I book both.', toolCalls: calls }), answer({ content: 'Both are booked.' })];

  test('answers in one piece are read: text, parallel calls, the answer, usage', async () => {
    const { app, prompt, session } = await house();
    const { double, adapter, problems } = await provider({}, ...script);
    const { text, usage, transcript } = await app.evaluate(prompt, { adapter, session });
    expect(text).toBe('Both are booked.');
    expect(usage).toBeDefined();
    expect(transcript[1]).toMatchObject({ content: 'I book both.', toolCalls: [{ id: 'call_0' }, { id: 'call_1' }] });
    expect(session.slice(Booked).all()).toEqual([new Booked('attic'), new Booked('cellar')]);
    expect(problems()).toEqual([[], []]);
    expect(double.left).toBe(0);
  });

  test('streamed: the same run, its text in pieces', async () => {
    const [one, other] = [await house(), await house()];
    const { adapter: whole } = await provider({}, ...script);
    const evaluated = await one.app.evaluate(one.prompt, { adapter: whole, session: one.session });
    const { double, adapter, problems } = await provider({}, ...script);
    const events: StreamEvent[] = [];
    for await (const event of other.app.stream(other.prompt, { adapter, session: other.session })) events.push(event);
    expect(withoutNative(events.at(-1))).toEqual(withoutNative({ kind: 'done', response: evaluated }));
    const texts = events.flatMap((event) => (event.kind === 'text' && event.turn === 2 ? [event.text] : []));
    expect(texts.join('')).toBe('Both are booked.');
    expect(double.requests.map(({ body }) => body['stream'])).toEqual([true, true]);
    expect(problems()).toEqual([[], []]);
  });
});

describe('a run over HTTP', () => {
  test('two turns with reasoning: it goes back encrypted, and what was sent before stays as it was', async () => {
    const { app, prompt, session } = await house();
    const { double, adapter, problems } = await provider(
      { parameters: { prompt_cache_key: 'house' } },
      whole([reasoningItem('rs_1'), callItem('a', 'rooms')]),
      whole([
        reasoningItem('rs_2'),
        saidItem('I book one.', { phase: 'commentary' }),
        callItem('b', 'book', '{"room":"attic"}'),
      ]),
      whole([saidItem('Done.', { phase: 'final_answer' })]),
    );
    const messages = [{ role: 'user', content: 'Book me a room.' }] as const;
    expect(await app.evaluate(prompt, { adapter, session, messages })).toMatchObject({ text: 'Done.', turns: 3 });
    expect(problems()).toEqual([[], [], []]);
    const inputs = double.requests.map(({ body }) => body['input'] as readonly Json[]);
    expect(inputs[2]?.slice(0, inputs[1]?.length)).toEqual(inputs[1]);
    expect(double.requests.flatMap(({ removed }) => removed)).toEqual([]);
    const bound = (id: string) => ({ ...reasoningItem(id), encrypted_content: expect.stringContaining(id) as string });
    expect(inputs[2]?.slice(2)).toEqual([
      bound('rs_1'),
      callItem('a', 'rooms'),
      { type: 'function_call_output', call_id: 'a', output: '["attic","cellar"]' },
      bound('rs_2'),
      saidItem('I book one.', { phase: 'commentary' }),
      callItem('b', 'book', '{"room":"attic"}'),
      { type: 'function_call_output', call_id: 'b', output: 'Booked attic.' },
    ]);
    const [first, , third] = double.requests;
    expect(third?.body.tools).toEqual(first?.body.tools);
    expect(double.requests.map(({ body }) => body['prompt_cache_key'])).toEqual(['house', 'house', 'house']);
  });

  test('a tool that is deferred is found by the provider, and what it found goes back', async () => {
    const { app, prompt, session } = await house();
    const found = [
      { type: 'tool_search_call', id: 'tsc_1', call_id: null, execution: 'server', arguments: { paths: ['book'] } },
      { type: 'tool_search_output', id: 'tso_1', call_id: null, execution: 'server', tools: [] },
    ];
    const { double, adapter, problems } = await provider(
      { deferTools: ({ name }) => name === 'book' },
      whole([...found, callItem('a', 'book', '{"room":"attic"}', { namespace: 'book' })]),
      whole([saidItem('Done.')]),
    );
    await app.evaluate(prompt, { adapter, session });
    expect(session.slice(Booked).all()).toEqual([new Booked('attic')]);
    expect(problems()).toEqual([[], []]);
    expect((double.requests[1]?.body['input'] as readonly Json[]).slice(1, 4)).toEqual([
      ...found,
      callItem('a', 'book', '{"room":"attic"}', { namespace: 'book' }),
    ]);
  });

  test('an answer of a declared form: sent in strict mode, and read into its class', async () => {
    class Review {
      @Field({ description: 'From 1 to 5', integer: true, min: 1, max: 5 }) stars!: number;
      @Field({ description: 'Why', optional: true, type: String }) note?: string;
    }
    const { app, prompt, session } = await house();
    const { double, adapter, problems } = await provider({}, whole([saidItem('{"stars":4,"note":null}')]));
    const { output } = await app.evaluate(prompt, { adapter, session, output: Review });
    expect(output).toBeInstanceOf(Review);
    expect(output).toEqual({ stars: 4 });
    expect(problems()).toEqual([[]]);
    expect(double.requests[0]?.body['text']).toMatchObject({
      format: { type: 'json_schema', name: 'Review', strict: true, schema: { required: ['stars', 'note'] } },
    });
  });

  test('a request that breaks a rule is refused with the id of the rule', async () => {
    const { adapter } = await provider({ parameters: { max_output_tokens: 1 } });
    const { app, prompt } = await house();
    await expect(app.evaluate(prompt, { adapter })).rejects.toMatchObject({
      code: 'E701',
      cause: { status: 400, code: 'max-output-tokens' },
    });
  });
});
