import { createApplication, Param, Prompt, Section, Session, type StreamEvent, Tool, ToolContext } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { callChunk, chunk } from '../support/client';
import { answer, hang, raw, streamed } from '../support/ProviderDouble';
import { provider, stopAll, toolMessages } from '../support/overHttp';
import { silent } from '../../../../spec/support/silent';
import { rejectionOf } from '../support/thrownBy';

afterEach(stopAll);

class Booked {
  constructor(readonly room: string) {}
}

/** An application that books rooms, and how often it did. */
async function house() {
  const booked: string[] = [];
  @Section({ title: 'Rooms', template: 'Book rooms.' })
  class Rooms {
    @Tool('Book a room.')
    book(@Param('room', 'Room') room: string, context: ToolContext) {
      booked.push(room);
      context.session.dispatch(new Booked(room));
      return `Booked ${room}.`;
    }
  }
  @Prompt({ ns: 'house', key: 'rooms', sections: [Rooms] })
  class House {}
  const clock = new FakeClock();
  const app = await createApplication({ prompts: [House], clock, logger: silent, random: () => 0 });
  const session = new Session();
  return { app, prompt: app.prompt(House), session, booked, rooms: () => session.slice(Booked).all() };
}
async function kindsOf(stream: AsyncIterable<StreamEvent>, kinds: string[] = []): Promise<readonly string[]> {
  for await (const event of stream) kinds.push(event.kind === 'text' ? `text ${event.text}` : event.kind);
  return kinds;
}
/** The beginning of a call, up to the middle of its arguments. */
const HALF_A_CALL = [
  chunk({ role: 'assistant', content: 'One moment' }),
  callChunk({ index: 0, id: 'a', type: 'function', function: { name: 'book', arguments: '' } }),
  callChunk({ index: 0, function: { arguments: '{"room":"kit' } }),
];
const A_CALL = [
  ...HALF_A_CALL,
  callChunk({ index: 0, function: { arguments: 'chen"}' } }),
  chunk({}, 'tool_calls'),
  { choices: [], usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 } },
];
const DONE = [chunk({ content: 'Do' }), chunk({ content: 'ne.' }), chunk({}, 'stop')];

describe('a stream over HTTP', () => {
  test('two turns: texts arrive in pieces, the call is run once it is whole, and the provider accepts the conversation', async () => {
    const { app, prompt, session, rooms } = await house();
    const { double, adapter } = await provider(streamed(A_CALL), streamed(DONE));
    const events: StreamEvent[] = [];
    for await (const event of app.stream(prompt, { adapter, session })) events.push(event);
    expect(events).toMatchObject([
      { kind: 'text', turn: 1, text: 'One moment' },
      { kind: 'tool_input', turn: 1, id: 'a', name: 'book', text: '{"room":"kit' },
      { kind: 'tool_input', turn: 1, id: 'a', name: 'book', text: 'chen"}' },
      { kind: 'answer', toolCalls: [{ id: 'a', arguments: '{"room":"kitchen"}' }], usage: { totalTokens: 9 } },
      { kind: 'begun', name: 'book' },
      { kind: 'outcome', message: { content: 'Booked kitchen.' } },
      { kind: 'text', turn: 2, text: 'Do' },
      { kind: 'text', turn: 2, text: 'ne.' },
      { kind: 'answer', turn: 2, text: 'Done.', usage: undefined },
      { kind: 'done', response: { text: 'Done.', turns: 2 } },
    ]);
    expect(rooms()).toEqual([new Booked('kitchen')]);
    expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(toolMessages(double, 1)).toEqual({ a: 'Booked kitchen.' });
    expect(double.requests.map(({ body }) => [body['stream'], body['stream_options']])).toEqual([
      [true, { include_usage: true }],
      [true, { include_usage: true }],
    ]);
  });

  test('the transcript is the same as that of evaluate for the same answers', async () => {
    const script = [
      answer({
        content: 'Let me book two rooms.',
        toolCalls: [
          { id: 'a', name: 'book', arguments: '{"room":"kitchen"}' },
          { id: 'b', name: 'book', arguments: '{"room":7}' },
        ],
      }),
      answer({ content: 'One room is booked.', usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 } }),
    ];
    const [one, other] = [await house(), await house()];
    const evaluated = await one.app.evaluate(one.prompt, {
      adapter: (await provider(...script)).adapter,
      session: one.session,
    });
    const { adapter } = await provider(...script);
    let last: StreamEvent | undefined;
    for await (const event of other.app.stream(other.prompt, { adapter, session: other.session })) last = event;
    expect(last).toEqual({ kind: 'done', response: evaluated });
    expect(other.rooms()).toEqual(one.rooms());
  });

  test('ADPT-01 the connection is lost in the middle of a call: nothing is run, and the model is asked again', async () => {
    const { app, prompt, session, booked } = await house();
    const { double, adapter } = await provider(streamed(HALF_A_CALL, 'drop'), streamed(A_CALL), streamed(DONE));
    const events: StreamEvent[] = [];
    for await (const event of app.stream(prompt, { adapter, session })) {
      events.push(event);
      if (event.kind === 'retry') expect(booked).toEqual([]);
    }
    expect(events.slice(0, 4)).toMatchObject([
      { kind: 'text', text: 'One moment' },
      { kind: 'tool_input', id: 'a', text: '{"room":"kit' },
      { kind: 'retry', turn: 1, waitMs: 0, problem: expect.stringContaining('broke off its answer') as string },
      { kind: 'text', turn: 1, text: 'One moment' },
    ]);
    expect(booked).toEqual(['kitchen']);
    expect(double.requests).toHaveLength(3);
  });

  test('ADPT-01 a stream that is lost each time: throws the cause, and nothing was run', async () => {
    const { app, prompt, session, booked } = await house();
    const { double, adapter } = await provider(...Array.from({ length: 5 }, () => streamed(HALF_A_CALL, 'drop')));
    const kinds: string[] = [];
    const error = await rejectionOf(kindsOf(app.stream(prompt, { adapter, session }), kinds));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection', phase: 'request' });
    expect(error.message).toMatch(/^openai-chat:gpt-5-mini broke off its answer: terminated/);
    expect(kinds.filter((kind) => kind === 'retry')).toHaveLength(4);
    expect(booked).toEqual([]);
    expect(double.requests).toHaveLength(5);
  });

  test('a provider that throttles before it answers is asked again', async () => {
    const { app, prompt } = await house();
    const { adapter } = await provider(
      raw(503, '{"error":{"message":"busy"}}', { 'retry-after': '2' }),
      streamed(DONE),
    );
    expect(await kindsOf(app.stream(prompt, { adapter }))).toEqual(['retry', 'text Do', 'text ne.', 'answer', 'done']);
  });

  test('leaving in the middle of an answer closes the connection', async () => {
    const { app, prompt, booked } = await house();
    const { double, adapter } = await provider(streamed(HALF_A_CALL, 'hang'));
    for await (const { kind } of app.stream(prompt, { adapter })) if (kind === 'text') break;
    expect(await double.requests[0]?.abandoned).toBe(true);
    expect(booked).toEqual([]);
    await app.close();
  });

  test.each([
    ['in the middle of an answer', streamed(HALF_A_CALL, 'hang')],
    ['before it', hang],
  ])(
    "CANC-03 the caller's signal %s closes the connection, and ends the stream with its reason",
    async (_when, turn) => {
      const { app, prompt, booked } = await house();
      const controller = new AbortController();
      const { double, adapter } = await provider(turn);
      const reading = rejectionOf(kindsOf(app.stream(prompt, { adapter, signal: controller.signal })));
      await double.received(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const reason = new Error('user left');
      controller.abort(reason);
      expect(await reading).toBe(reason);
      expect(await double.requests[0]?.abandoned).toBe(true);
      expect(booked).toEqual([]);
    },
  );
});
