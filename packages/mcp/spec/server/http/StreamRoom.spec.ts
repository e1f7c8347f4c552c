import { StreamRoom } from '../../../src/server/http/StreamRoom';

/** Holds the thread, as other processes do on a busy machine. */
const hold = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('HOST-08k the room of a stream', () => {
  test('a client that reads after the process was held up is not cut off', async () => {
    let isFull = true;
    let isCut = false;
    const room = new StreamRoom(
      () => isFull,
      () => (isCut = true),
    );
    room.check();
    setTimeout(() => (isFull = false), 20);
    hold(400);
    await room.requireReading();
    expect(isCut).toBe(false);
  });

  test('a client that never reads is cut off once, with E695', async () => {
    let cuts = 0;
    const room = new StreamRoom(
      () => true,
      () => cuts++,
    );
    room.check();
    room.check();
    await expect(room.requireReading()).rejects.toMatchObject({ code: 'E695', place: 'http.maxUnreadBytes' });
    expect(cuts).toBe(1);
  });
});
