import type { ModelPart } from 'toolwright/adapters';
import { modelDoor } from '../../../packages/ai-sdk/spec/support/modelKit.js';
import { messagesDoor } from '../../../packages/anthropic/spec/support/messagesKit.js';
import { bookingHouse, doubleOf, stopHouses } from '../../../packages/openai/spec/support/bookingHouse.js';
import { chatDoor } from '../../../packages/openai/spec/support/chatKit.js';
import { requestOf } from '../../../packages/openai/spec/support/client.js';
import type { ProviderDoor } from '../../../packages/openai/spec/support/ProviderDoor.js';
import { cutAfter, streamed } from '../../../packages/openai/spec/support/ProviderDouble.js';
import { responsesDoor } from '../../../packages/openai/spec/support/responsesKit.js';
import { rejectionOf } from '../../../packages/openai/spec/support/thrownBy.js';

jest.setTimeout(60_000);
afterEach(stopHouses);

const book = (room: string) => ({ id: room, name: 'book', arguments: JSON.stringify({ room }) });

const doors: readonly (readonly [string, ProviderDoor])[] = [
  ['Anthropic', messagesDoor()],
  ['OpenAI Chat Completions', chatDoor],
  ['OpenAI Responses', responsesDoor],
  ['AI SDK 6', modelDoor('v3')],
  ['AI SDK 7', modelDoor('v4')],
];

/** The usage may come after everything else, and be lost alone. */
const withoutUsage = (outcome: Outcome): unknown =>
  outcome.kind === 'response' ? { ...outcome.response, usage: undefined } : outcome;

type Outcome =
  | ModelPart
  | { readonly kind: 'connection'; readonly retrySafe: boolean }
  | { readonly kind: 'failed'; readonly problem: string };

describe.each(doors)('TRACE-14 a stream of %s that is cut inside of a line', (_name, door) => {
  const events = door.events({ kind: 'answer', text: 'I book the naïve 茶 room.', calls: [book('attic')] });
  const bytes = Buffer.from(events.map((event) => door.wire.event(event)).join(''));
  const afterAll = (text: string): number => bytes.indexOf(text) + Buffer.byteLength(text);
  const places: readonly (readonly [string, number])[] = [
    ['before its first byte', 0],
    ['in the word data of its first line', bytes.indexOf('data: ') + 2],
    ['in the JSON of its first line', bytes.indexOf('data: ') + 9],
    ['in a character', bytes.indexOf(Buffer.from('茶')) + 1],
    ['in the name of a call', afterAll('"bo')],
    ['between a line and its end', bytes.indexOf('\n', bytes.length / 2) + 1],
  ];
  const cuts = places.flatMap(([what, at]) => [
    ['ends', 'done', what, at] as const,
    ['is lost', 'drop', what, at] as const,
  ]);

  test.each(cuts)(
    'the connection %s (%s) %s: asked again, and nothing was done twice',
    async (_how, end, _what, at) => {
      const again = streamed(door.events({ kind: 'answer', calls: [book('attic')] }));
      const done = streamed(door.events({ kind: 'answer', text: 'Done.' }));
      const { double, stream, rooms, problems } = await bookingHouse(door, cutAfter(at, events, end), again, done);
      expect(await stream()).toMatchObject({ text: 'Done.', turns: 2 });
      expect(rooms()).toEqual(['attic']);
      expect(double.requests).toHaveLength(3);
      expect(problems()).toEqual([]);
    },
  );

  test('a stream that is cut each time ends with E705 after five requests, and no handler has run', async () => {
    const script = Array.from({ length: 5 }, (_none, index) => cutAfter(40 + 30 * index, events, 'done'));
    const { double, stream, rooms } = await bookingHouse(door, ...script);
    const error = await rejectionOf(stream());
    expect(error).toMatchObject({ name: 'ThrottleError', code: 'E705', kind: 'connection', retrySafe: true });
    expect(rooms()).toEqual([]);
    expect(double.requests).toHaveLength(5);
  });

  test('wherever it is cut, the adapter gives no answer but the whole one', async () => {
    const whole = await answerOf(bytes.length);
    for (let at = 0; at < bytes.length; at += 97) {
      const cut = await answerOf(at);
      if (cut.kind === 'connection') expect(cut).toEqual({ kind: 'connection', retrySafe: true });
      else expect(withoutUsage(cut)).toEqual(withoutUsage(whole));
    }
  });

  /** The response of a stream that is cut after so many bytes, or how it failed. */
  async function answerOf(at: number): Promise<Outcome> {
    const double = await doubleOf(door, cutAfter(at, events, 'done'));
    const adapter = door.adapter(double.baseURL);
    try {
      let last: ModelPart | undefined;
      for await (const part of adapter.stream?.(requestOf([{ role: 'user', content: 'Hello' }])) ?? []) last = part;
      return last ?? { kind: 'failed', problem: 'there is no last part' };
    } catch (error) {
      const { kind, retrySafe, message } = error as { kind: string; retrySafe: boolean; message: string };
      return kind === 'connection' ? { kind, retrySafe } : { kind: 'failed', problem: message };
    }
  }
});
