import { Session, type StreamEvent } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { add, deskOf } from '../desk.js';

const script = [
  { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 } }] },
  { toolCalls: [{ name: 'add', arguments: { a: 2, b: 2 } }] },
  { text: 'Four.' },
];

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const seqOf = (event: StreamEvent): number | undefined => ('seq' in event ? event.seq : undefined);
const shown = (events: readonly StreamEvent[]): readonly unknown[] =>
  events.map((event) => (event.kind === 'done' ? 'done' : { ...event }));

describe('events of a run have their place in the log', () => {
  test('a reader that comes back after any of them reads exactly the rest, and nothing is asked or run again', async () => {
    const { app, type } = await deskOf([add()]);
    const conversation = new Conversation();
    const session = new Session();
    const options = { session, conversation, runId: 'r1' };
    const first = new ScriptedModel(script);
    const all = await eventsOf(
      app.stream(app.prompt(type), { ...options, adapter: first, messages: [{ role: 'user', content: 'Add.' }] }),
    );
    const places = all.flatMap((event) => seqOf(event) ?? []);
    expect(places).toHaveLength(5);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    for (const after of places) {
      const adapter = new ScriptedModel([]);
      const rest = await eventsOf(app.stream(app.prompt(type), { ...options, adapter, after }));
      const expected = all.slice(all.findIndex((event) => seqOf(event) === after) + 1);
      // What was streamed in parts comes in one piece from the log.
      const pieces = (events: readonly StreamEvent[]) => shown(events.filter(({ kind }) => kind !== 'text'));
      expect(pieces(rest)).toEqual(pieces(expected));
      expect(adapter.requests).toEqual([]);
    }
    expect(conversation.toJSON().entries.filter(({ kind }) => kind === 'run')).toHaveLength(1);
  });
});
