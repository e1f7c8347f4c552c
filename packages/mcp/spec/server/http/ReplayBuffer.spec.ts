import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ReplayBuffer } from '../../../src/server/http/ReplayBuffer';

const ping = (id: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping', params: { text } });

/** The messages that are sent again after an event. */
async function replayed(buffer: ReplayBuffer, after: string): Promise<readonly JSONRPCMessage[]> {
  const sent: JSONRPCMessage[] = [];
  await buffer.replayEventsAfter(after, { send: async (_id, message) => void sent.push(message) });
  return sent;
}

describe('ReplayBuffer', () => {
  test('ReplayBuffer returns what followed an event on the same stream, without the event that only opened it', async () => {
    const buffer = new ReplayBuffer(10);
    const opened = await buffer.storeEvent('a', {} as JSONRPCMessage);
    await buffer.storeEvent('b', ping(1));
    const first = await buffer.storeEvent('a', ping(2));
    await buffer.storeEvent('a', ping(3));
    expect(await replayed(buffer, opened)).toEqual([ping(2), ping(3)]);
    expect(await replayed(buffer, first)).toEqual([ping(3)]);
    expect(await buffer.getStreamIdForEventId(first)).toBe('a');
    expect(await buffer.getStreamIdForEventId('made up')).toBeUndefined();
  });

  test('ReplayBuffer keeps so many messages, and so many characters, the latest ones', async () => {
    const few = new ReplayBuffer(2);
    const ids = [
      await few.storeEvent('a', ping(1)),
      await few.storeEvent('a', ping(2)),
      await few.storeEvent('a', ping(3)),
    ];
    expect(await few.getStreamIdForEventId(ids[0]!)).toBeUndefined();
    expect(await replayed(few, ids[1]!)).toEqual([ping(3)]);
    const large = new ReplayBuffer(100);
    const big = await large.storeEvent('a', ping(1, 'x'.repeat(3_000_000)));
    const next = await large.storeEvent('a', ping(2, 'y'.repeat(3_000_000)));
    expect(await large.getStreamIdForEventId(big)).toBeUndefined();
    expect(await large.getStreamIdForEventId(next)).toBe('a');
  });

  test('HOST-08i ReplayBuffer counts bytes, of all sessions together, and gives them back when a session ends', async () => {
    const total = { bytes: 0 };
    const buffers = Array.from({ length: 30 }, () => new ReplayBuffer(100, total));
    for (const buffer of buffers)
      for (const id of [1, 2, 3, 4]) await buffer.storeEvent('a', ping(id, 'é'.repeat(500_000)));
    expect(total.bytes).toBeLessThan(100_000_000);
    for (const buffer of buffers) buffer.clear();
    expect(total.bytes).toBe(0);
  });
});
