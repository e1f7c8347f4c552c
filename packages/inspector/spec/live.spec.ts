import { getApplicationParts } from 'toolwright/internal';
import { serveInspector, type ServedInspector } from '@toolwright/inspector';
import { ScriptedModel } from 'toolwright/testing';
import { connect } from 'node:net';
import { once } from 'node:events';
import { Moments } from '../src/server/Moments';
import { ask, authorization, rowsOf, send, tell } from './client';
import { openHotel } from './desk';

let open: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

async function startInspector(live: { readonly maxEntries?: number; readonly maxBytes?: number }) {
  const hotel = await openHotel({});
  const adapter = new ScriptedModel(Array.from({ length: 500 }, () => ({ text: 'Again.' })));
  const inspector = await serveInspector(
    { app: hotel.app },
    { newSession: hotel.newSession, live, allowCalls: true, adapter },
  );
  open.push(inspector);
  return { ...hotel, inspector };
}

type Hotel = Awaited<ReturnType<typeof startInspector>>;

const book = { toolCalls: [{ name: 'book', arguments: { room: '12', guest: 'Ada' } }] };

async function runOften({ app, prompt, newSession }: Hotel, times: number, text = 'x'.repeat(2_000)): Promise<void> {
  for (let time = 0; time < times; time++)
    await app.evaluate(prompt, {
      adapter: new ScriptedModel([book, { text }]),
      session: newSession(),
      messages: [{ role: 'user', content: 'A room.' }],
    });
}

interface Live {
  readonly kept: { readonly entries: number; readonly bytes: number };
  readonly dropped: { readonly entries: number; readonly runs: number; readonly before: number };
  readonly limits: { readonly maxEntries: number; readonly maxBytes: number };
}

async function liveOf(inspector: ServedInspector): Promise<Live> {
  return ((await ask(inspector, 'about'))['sources'] as readonly Live[])[0]!;
}

describe('a live inspector keeps a limited number of entries', () => {
  test.each([
    ['entries', { maxEntries: 200 }],
    ['bytes', { maxBytes: 100_000 }],
  ])('a live inspector keeps a limited number of entries by %s, and says what it dropped', async (_by, limits) => {
    const hotel = await startInspector(limits);
    const { inspector } = hotel;
    const counts: number[] = [];
    for (let time = 0; time < 4; time++) {
      await runOften(hotel, 30);
      const { kept, dropped, limits: bounds } = await liveOf(inspector);
      expect(kept.entries).toBeLessThanOrEqual(bounds.maxEntries);
      expect(kept.bytes).toBeLessThanOrEqual(bounds.maxBytes);
      const rows = await rowsOf(inspector, 'live');
      const points = (await ask(inspector, 'points?source=live')) as unknown as readonly { readonly seq: number }[];
      for (const { seq } of [...rows, ...points] as readonly { readonly seq: number }[])
        expect(seq).toBeGreaterThanOrEqual(dropped.before);
      expect(dropped.runs).toBeGreaterThan(0);
      expect(dropped.before).toBeGreaterThan(0);
      counts.push(kept.entries + rows.length + points.length);
    }
    // As much after 120 runs as after 30, but for what is dropped at a time.
    expect(counts[3]).toBeLessThanOrEqual(1.3 * (counts[0] ?? 0));
  });

  test('by default, a live inspector keeps a run as a whole', async () => {
    const hotel = await startInspector({});
    await runOften(hotel, 3);
    expect(await liveOf(hotel.inspector)).toMatchObject({
      dropped: { entries: 0, runs: 0, before: 0 },
      limits: { maxEntries: 100_000, maxBytes: 64_000_000 },
    });
  });

  test('an entry that is larger than the bound is kept alone', async () => {
    const hotel = await startInspector({ maxBytes: 5_000 });
    await runOften(hotel, 1, 'x'.repeat(20_000));
    const { kept } = await liveOf(hotel.inspector);
    expect(kept.entries).toBeGreaterThanOrEqual(1);
    await runOften(hotel, 1, 'x');
    expect((await liveOf(hotel.inspector)).kept.bytes).toBeLessThanOrEqual(5_000);
  });

  test('a moment that was dropped is answered as such, and no run goes on from it', async () => {
    const hotel = await startInspector({ maxEntries: 100 });
    await runOften(hotel, 30);
    const { inspector } = hotel;
    const entry = await send(inspector, '/api/entry?source=live&seq=0', { headers: authorization(inspector) });
    expect([entry.status, entry.text]).toEqual([404, expect.stringContaining('not kept any more')]);
    const fork = await tell(inspector, 'fork', { source: 'live', seq: 0, kind: 'message', text: 'Hello.' });
    expect(fork).toMatchObject({ status: 404 });
    const rows = await rowsOf(inspector, 'live');
    const last = rows.findLast(({ kind }) => kind === 'request');
    const again = await tell(inspector, 'fork', {
      source: 'live',
      seq: last?.['seq'],
      kind: 'message',
      text: 'Hello.',
    });
    expect(again).toMatchObject({ status: 200 });
  });

  test('the state of a session says that its beginning was dropped', async () => {
    const hotel = await startInspector({ maxEntries: 60 });
    const session = hotel.newSession();
    const stateOf = async (): Promise<unknown> => {
      const points = (await ask(hotel.inspector, 'points?source=live')) as unknown as readonly {
        readonly seq: number;
      }[];
      return (await ask(hotel.inspector, `state?source=live&seq=${String(points.at(-1)?.seq)}`))['cut'];
    };
    const runOnce = () =>
      hotel.app.evaluate(hotel.prompt, { adapter: new ScriptedModel([book, { text: 'Done.' }]), session });
    await runOnce();
    expect(await stateOf()).toBe(false);
    for (let time = 0; time < 10; time++) await runOnce();
    expect(await stateOf()).toBe(true);
  });

  test('a page that is open is told, and keeps no dropped row', async () => {
    const hotel = await startInspector({ maxEntries: 100 });
    const { origin } = new URL(hotel.inspector.url);
    const controller = new AbortController();
    const response = await fetch(`${origin}/api/rows?source=live`, {
      headers: authorization(hotel.inspector),
      signal: controller.signal,
    });
    await runOften(hotel, 30);
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      if (text.includes('event: dropped')) break;
    }
    controller.abort();
    const [, data = '{}'] = /^event: dropped\ndata: (.*)$/m.exec(text) ?? [];
    expect(JSON.parse(data)).toEqual((await liveOf(hotel.inspector)).dropped);
  });

  test('a page that does not read makes nothing pile up', async () => {
    const hotel = await startInspector({ maxEntries: 2_000 });
    const { port, host } = new URL(hotel.inspector.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const { authorization: bearer = '' } = authorization(hotel.inspector);
    socket.write(`GET /api/rows?source=live HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${bearer}\r\n\r\n`);
    await runOften(hotel, 200);
    // The server is alive, and answers others meanwhile.
    expect((await liveOf(hotel.inspector)).kept.entries).toBeLessThanOrEqual(2_000);
    socket.destroy();
  });

  test.each([{ maxEntries: 0 }, { maxBytes: -1 }, { maxEntries: 1.5 }, { maxBytes: Number.NaN }])(
    'a bound that is none is refused: %j',
    async (live) => {
      const { app } = await openHotel({});
      await expect(serveInspector({ app }, { live })).rejects.toThrow(
        /live\.max\w+ is .*; a whole number above 0 is expected/,
      );
    },
  );
});

describe('moments', () => {
  test('moments of a run are forgotten with it', async () => {
    const { app, prompt, newSession } = await openHotel({});
    const moments = new Moments();
    getApplicationParts(app).services.interceptors.add(moments);
    const runs: string[] = [];
    getApplicationParts(app).services.interceptors.add({
      aroundRun: async ({ id }, next) => {
        runs.push(id);
        await next();
      },
    });
    for (let time = 0; time < 5; time++)
      await app.evaluate(prompt, { adapter: new ScriptedModel([book, { text: 'Done.' }]), session: newSession() });
    expect(moments.count).toBe(10);
    for (const run of runs.slice(0, 4)) moments.forget(run);
    expect(moments.count).toBe(2);
  });
});
