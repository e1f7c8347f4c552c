import { serveInspector, type ServedInspector } from '@toolwright/inspector';
import { recordBundle, readBundle } from 'toolwright/bundles';
import { ScriptedModel } from 'toolwright/testing';
import { ask, rowsOf, tell, type Answer } from './client';
import { openHotel } from './desk';

let open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

const book = (room: string, guest: string) => ({ toolCalls: [{ name: 'book', arguments: { room, guest } }] });

/** A run that booked room 3 for Ada, and an inspector whose forks are answered by the script. */
async function booked(
  replies: ConstructorParameters<typeof ScriptedModel>[0],
  options: Parameters<typeof serveInspector>[1] = {},
) {
  const hotel = await openHotel();
  const model = new ScriptedModel(replies);
  const inspector = await serveInspector(
    { app: hotel.app },
    { newSession: hotel.newSession, allowCalls: true, adapter: () => model, ...options },
  );
  open.push(inspector);
  const session = hotel.newSession();
  const messages = [{ role: 'user', content: 'A room for Ada.' }] as const;
  const original = new ScriptedModel([book('3', 'Ada'), { text: 'Ada sleeps in 3.' }]);
  await hotel.app.evaluate(hotel.prompt, { adapter: original, session, messages, runId: 'first' });
  const points = (await ask(inspector, 'points?source=live')) as unknown as readonly { seq: number }[];
  const seq = points.at(-1)?.seq ?? -1;
  const fork = (change: object) => tell(inspector, 'fork', { source: 'live', seq, ...change });
  const choices = async () => (await ask(inspector, `fork?source=live&seq=${String(seq)}`))['choices'] as Answer;
  return { ...hotel, inspector, session, model, seq, fork, choices };
}

/** Waits until the run of a fork has ended, and returns its rows. */
async function ended(inspector: ServedInspector, run: unknown): Promise<readonly Answer[]> {
  for (;;) {
    const rows = (await rowsOf(inspector, 'live')).filter((row) => row['run'] === run);
    if (rows[0] !== undefined && rows[0]['status'] !== 'open') return rows;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('going on from a moment', () => {
  test('the form for a fork shows what may be another one, and what answers', async () => {
    const { choices, inspector, seq } = await booked([]);
    expect(await ask(inspector, `fork?source=live&seq=${String(seq)}`)).toMatchObject({
      adapter: 'scripted (not a model)',
    });
    expect(await choices()).toMatchObject({
      run: 'first',
      turn: 1,
      prompt: 'tests/hotel',
      message: 'A room for Ada.',
      answer: { toolCalls: [{ name: 'book', arguments: { room: '3' } }] },
      outcome: { name: 'book', text: 'Ada sleeps in 3.' },
      sections: [
        { title: 'Rooms', text: 'Book rooms of ${house}.' },
        { path: 'kitchen', title: 'Kitchen' },
      ],
    });
  });

  test('another answer: its calls run on a copy, and the original stays as it was', async () => {
    const { fork, inspector, model, rooms, session } = await booked([{ text: 'Grace sleeps in 4.' }]);
    const before = JSON.stringify(session.toJSON());
    const recorded = JSON.stringify((await rowsOf(inspector, 'live')).filter(({ run }) => run === 'first'));
    const toolCalls = [{ id: 'x', name: 'book', arguments: { room: '4', guest: 'Grace' } }];
    const { run, seq } = await fork({ kind: 'answer', text: '', toolCalls });
    const rows = await ended(inspector, run);
    expect(rows.map(({ name, status }) => [name, status])).toEqual([
      ['tests/hotel', 'answered'],
      ['Request 1', 'answered'],
      ['book', 'succeeded'],
      ['Request 2', 'answered'],
    ]);
    expect(rows[0]).toMatchObject({ seq, fork: { run: 'first' } });
    // The model was asked once, for what comes after the answer that was given.
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'A room for Ada.' },
      { role: 'assistant', toolCalls },
      { role: 'tool', content: 'Grace sleeps in 4.', failed: false },
    ]);
    expect(rooms.has('4')).toBe(false);
    expect(rooms.get('3')).toEqual({ guest: 'Ada' });
    expect(JSON.stringify(session.toJSON())).toBe(before);
    expect(JSON.stringify((await rowsOf(inspector, 'live')).filter((row) => row['run'] === 'first'))).toBe(recorded);
  });

  test('later calls of a fork see what earlier ones wrote, and a fork goes on from a fork', async () => {
    const { fork, inspector, rooms } = await booked([
      book('5', 'Hopper'),
      book('6', 'Hopper'),
      { text: 'Both.' },
      { text: 'Again.' },
    ]);
    const first = await ended(inspector, (await fork({ kind: 'message', text: 'Two rooms for Hopper.' }))['run']);
    const points = (await ask(inspector, 'points?source=live')) as unknown as readonly { seq: number; of: number }[];
    const [last] = points.filter(({ of }) => of === first[4]?.['seq']).slice(-1);
    const state = await ask(inspector, `state?source=live&seq=${String(last?.seq)}`);
    // The fork begins with the session before the message: Ada's booking is not in it.
    expect(state['slices']).toEqual({ Bookings: [{ all: ['5', '6'] }] });
    const again = await tell(inspector, 'fork', {
      source: 'live',
      seq: last?.seq,
      kind: 'outcome',
      text: 'Room 6 is wet.',
    });
    const rows = await ended(inspector, again['run']);
    expect(rows[0]).toMatchObject({ status: 'answered', fork: { run: first[0]?.['run'] } });
    expect([rooms.has('5'), rooms.has('6')]).toEqual([false, false]);
  });

  test('a run goes on with another outcome of the call, and with another text of a section', async () => {
    const { fork, inspector, model } = await booked([{ text: 'Sorry.' }, { text: 'Done.' }]);
    await ended(inspector, (await fork({ kind: 'outcome', text: 'Room 3 is flooded.' }))['run']);
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Room 3 is flooded.' });
    const change = { kind: 'section', path: 'rooms', text: 'Never book rooms of ${house}.' };
    await ended(inspector, (await fork(change))['run']);
    const [system, ...others] = model.requests[1]?.messages ?? [];
    expect(system).toMatchObject({ content: expect.stringContaining('Never book rooms of Harbour House.') as unknown });
    expect(others).toMatchObject([{ role: 'user', content: 'A room for Ada.' }]);
    expect(await tell(inspector, 'render', { prompt: 'tests/hotel', params: {}, visibility: {} })).toMatchObject({
      text: expect.not.stringContaining('Never book') as unknown,
    });
  });

  test('a change that does not fit is refused with the reason, and nothing begins', async () => {
    const { fork, inspector, model } = await booked([]);
    const before = (await rowsOf(inspector, 'live')).length;
    const section = { kind: 'section', path: 'rooms', text: 'Book rooms of ${home}.' };
    expect(await fork(section)).toMatchObject({ status: 422, code: 'E523' });
    expect(await fork({ ...section, path: 'nowhere' })).toMatchObject({ status: 422, code: 'E520' });
    expect(await fork({ kind: 'answer', text: 'Yes.', toolCalls: [] })).toMatchObject({ status: 400 });
    expect(await fork({ kind: 'answer', text: '', toolCalls: ['book'] })).toMatchObject({ status: 400 });
    expect(await fork({ kind: 'dream' })).toMatchObject({ status: 400 });
    expect(await tell(inspector, 'fork', { source: 'live', seq: 9_999, kind: 'message', text: 'x' })).toMatchObject({
      status: 404,
    });
    expect([model.requests.length, (await rowsOf(inspector, 'live')).length]).toEqual([0, before]);
  });
});

describe('where nothing can go on', () => {
  test('without allowCalls, the server refuses a fork and says what is needed', async () => {
    const { fork, inspector, model, seq } = await booked([{ text: 'Done.' }], { allowCalls: false });
    const said = await ask(inspector, `fork?source=live&seq=${String(seq)}`);
    expect(said).toEqual({
      problem: expect.any(String) as unknown,
      remedy: expect.stringContaining('--allow-calls') as unknown,
    });
    expect(await fork({ kind: 'message', text: 'Another room.' })).toMatchObject({ status: 403 });
    expect(model.requests).toHaveLength(0);
  });

  test('without an adapter, the answer says that the application has none', async () => {
    const { fork, inspector, seq } = await booked([], { adapter: undefined });
    const said = await ask(inspector, `fork?source=live&seq=${String(seq)}`);
    expect(said['problem']).toContain('has no adapter');
    expect(await fork({ kind: 'message', text: 'Another room.' })).toMatchObject({ status: 409 });
  });

  test('a bundle is a record, with an application beside it or not', async () => {
    const { app, prompt } = await openHotel();
    const recording = recordBundle(app);
    await app.evaluate(prompt, { adapter: new ScriptedModel([book('3', 'Ada'), { text: 'Done.' }]) });
    const bundle = await readBundle(recording.text());
    for (const inspected of [{ bundle }, { bundle, app }]) {
      const inspector = await serveInspector(inspected, { allowCalls: true, adapter: new ScriptedModel([]) });
      open.push(inspector);
      const said = await ask(inspector, 'fork?source=bundle-1&seq=1');
      expect(said['problem']).toContain('a bundle is a record');
      const refused = await tell(inspector, 'fork', { source: 'bundle-1', seq: 1, kind: 'message', text: 'x' });
      expect(refused).toMatchObject({ status: 409 });
    }
  });
});
