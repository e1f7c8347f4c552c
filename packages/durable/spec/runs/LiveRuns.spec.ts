import { Conversation, type RunDelta, type RunEntry, type RunStore } from 'toolwright/conversations';
import type { RunListener } from 'toolwright/internal';
import { LiveRuns } from '../../src/runs/LiveRuns';
import { PieceReader } from '../../src/runs/PieceReader';

const key = { tenant: null, id: 'r-1' };
const text = (turn: number, piece: string): RunDelta => ({ kind: 'text', turn, text: piece });

/** Works on the run until the returned function is called. */
function work(
  live: LiveRuns,
  conversation = new Conversation(),
): { readonly listener: RunListener; end(): Promise<void> } {
  let listener: RunListener | undefined;
  let stop: () => void = () => undefined;
  const carried = live.carry(key, conversation, (given) => {
    listener = given;
    return new Promise<void>((resolve) => (stop = resolve));
  });
  if (listener === undefined) throw new TypeError('The work did not begin.');
  return {
    listener,
    end: () => {
      stop();
      return carried;
    },
  };
}

describe('the turn in progress', () => {
  test('is held once for a thousand readers, each of which gets the pieces that it has not read, joined', async () => {
    const live = new LiveRuns();
    const { listener, end } = work(live);
    const runs = Array.from({ length: 1_000 }, () => live.join(key));
    expect(new Set(runs).size).toBe(1);
    const readers = runs.map((run) => new PieceReader(run));
    listener.onDelta(text(1, '0 '));
    for (const reader of readers) expect([...reader.read(0)]).toEqual([text(1, '0 ')]);
    for (let index = 1; index < 10_000; index++) listener.onDelta(text(1, `${String(index)} `));
    expect(runs[0]?.phase?.steps.map(({ texts }) => texts?.length)).toEqual([10_000]);
    const rest = Array.from({ length: 9_999 }, (_, index) => `${String(index + 1)} `).join('');
    for (const reader of readers) {
      expect([...reader.read(0)]).toEqual([text(1, rest)]);
      expect([...reader.read(0)]).toEqual([]);
    }
    await end();
    expect(runs[0]?.phase).toBeUndefined();
  });

  test('gives a reader each piece once, in order, by kind and call', async () => {
    const live = new LiveRuns();
    const { listener, end } = work(live);
    const reader = new PieceReader(live.join(key));
    const input = (id: string, piece: string): RunDelta => ({
      kind: 'tool_input',
      turn: 1,
      id,
      name: 'look',
      text: piece,
    });
    const deltas = [
      { kind: 'reasoning', turn: 1, text: 'I ' } as const,
      text(1, 'a'),
      input('c-1', '{'),
      input('c-2', '['),
      input('c-1', '}'),
    ];
    const read: RunDelta[] = [];
    for (const delta of deltas) {
      listener.onDelta(delta);
      read.push(...reader.read(0));
    }
    expect(read).toEqual(deltas);
    expect([...new PieceReader(live.join(key)).read(0)]).toEqual(deltas);
    await end();
  });

  test('wakes only readers that wait, and each once', async () => {
    const live = new LiveRuns();
    const { listener, end } = work(live);
    const run = live.join(key);
    let wakes = 0;
    const wake = (): void => {
      wakes++;
    };
    run.wakeOnce(wake);
    listener.onDelta(text(1, 'a'));
    listener.onDelta(text(1, 'b'));
    expect(wakes).toBe(1);
    run.wakeOnce(wake);
    run.forget(wake);
    await end();
    expect(wakes).toBe(1);
  });

  test('belongs to the last work on the run: pieces of earlier work are dropped', async () => {
    const live = new LiveRuns();
    const run = live.join(key);
    const reader = new PieceReader(run);
    const first = work(live);
    first.listener.onDelta(text(1, 'old'));
    expect([...reader.read(0)]).toEqual([text(1, 'old')]);
    const second = work(live);
    first.listener.onDelta(text(1, 'late'));
    await first.end();
    expect(run.isActive).toBe(true);
    second.listener.onDelta(text(1, 'new'));
    const [retry, ...rest] = reader.read(0);
    expect(retry).toMatchObject({ kind: 'retry', turn: 1, waitMs: 0 });
    expect(rest).toEqual([text(1, 'new')]);
    await second.end();
    live.leave(key, run);
    expect(live.join(key)).not.toBe(run);
  });

  test.each(['the next worker of the process begins', 'the work stops'])(
    'is void for readers if %s while the answer is being stored',
    async (what) => {
      let epoch = 0;
      let refuse: (error: Error) => void = () => undefined;
      const store = {
        open: () => Promise.resolve({ epoch: ++epoch, entries: [] }),
        entries: () => Promise.resolve([]),
        append: () => new Promise((_, reject) => (refuse = reject)),
      } as unknown as RunStore;
      const live = new LiveRuns();
      const reader = new PieceReader(live.join(key));
      const before = await Conversation.open(store, 'c-1');
      const first = work(live, before);
      first.listener.onDelta(text(1, 'old'));
      expect([...reader.read(0)]).toEqual([text(1, 'old')]);
      before.log.add({ kind: 'answer', turn: 1 } as RunEntry);
      before.log.flushAhead();
      if (what === 'the work stops') await first.end();
      const second = work(live, await Conversation.open(store, 'c-1'));
      refuse(new Error('another writer has opened the log'));
      second.listener.onDelta(text(1, 'new'));
      expect([...reader.read(0)].map(({ kind }) => kind)).toEqual(['retry', 'text']);
      await Promise.all([first.end(), second.end()]);
    },
  );
});
