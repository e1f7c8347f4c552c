import { serveInspector, type ServedInspector } from '@toolwright/inspector';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedModel } from 'toolwright/testing';
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { authorization, tell, type Answer } from './client';
import { Bookings, openHotel } from './desk';

let cleaning: (() => unknown)[] = [];

afterEach(async () => {
  for (const clean of cleaning.reverse()) await clean();
  cleaning = [];
});

/** A durable run that booked room 3 and is parked at the upgrade of room 1, and an inspector of its store. */
async function parked(options: Parameters<typeof serveInspector>[1] = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'questions-'));
  cleaning.push(() => rmSync(folder, { recursive: true }));
  const { app, prompt, rooms } = await openHotel({ approver: { approve: () => ({ kind: 'later' }) } });
  const script = [
    { toolCalls: [{ name: 'book', arguments: { room: '3', guest: 'Ada' } }] },
    { toolCalls: [{ name: 'upgrade', arguments: { room: '1', guest: 'Ada' } }] },
    { text: 'Done.' },
  ];
  const adapters = new Map<string, ScriptedModel>();
  // One for the runs of each tenant.
  const adapterOf = (tenant: string | null): ScriptedModel => {
    const adapter = adapters.get(String(tenant)) ?? new ScriptedModel(script);
    adapters.set(String(tenant), adapter);
    return adapter;
  };
  const store = new SqliteRuns(join(folder, 'runs.db'));
  cleaning.push(() => store.close());
  const runs = await openRuns(app, {
    store,
    pollMs: 20,
    prepare: ({ tenant }) => ({ prompt, adapter: adapterOf(tenant), slices: [Bookings] }),
  });
  cleaning.push(() => runs.drain(1_000));
  const run = await runs.start({ id: 'r1', conversation: 'c1', messages: [{ role: 'user', content: 'Upgrade.' }] });
  while ((await runs.questions()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const inspector = await serveInspector({ app }, { allowCalls: true, runs, ...options });
  cleaning.push(() => inspector.close());
  return { inspector, rooms, run, runs };
}

/** Reads the inbox until a list fits. */
async function inboxOf(
  inspector: ServedInspector,
  fits: (waiting: readonly Answer[]) => boolean,
): Promise<readonly Answer[]> {
  const { origin } = new URL(inspector.url);
  const { body } = await fetch(`${origin}/api/approvals`, {
    headers: authorization(inspector),
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    const [, last = '[]'] = [...text.matchAll(/^data: (.*)\n\n/gm)].at(-1) ?? [];
    const waiting = JSON.parse(last) as readonly Answer[];
    // Leaving the loop ends the stream.
    if (fits(waiting)) return waiting;
  }
  return [];
}

describe('questions of parked runs', () => {
  test('questions of parked runs wait in the inbox with what their call would change, and an answer lets the run go on', async () => {
    const { inspector, rooms, run } = await parked();
    const [question] = await inboxOf(inspector, ([first]) => first?.['changed'] !== undefined);
    expect(question).toMatchObject({
      tool: 'upgrade',
      arguments: { room: '1', guest: 'Ada' },
      stored: { run: 'r1', conversation: 'c1', about: 'approval' },
      changed: [
        { name: 'Rooms', changes: [{ what: '1', before: { guest: 'Ada' }, after: { guest: 'Ada, with a view' } }] },
      ],
    });
    expect(rooms.get('1')).toEqual({ guest: 'Ada' });
    expect(await tell(inspector, 'approve', { id: question?.['id'], kind: 'approved' })).toMatchObject({
      said: 'taken',
    });
    expect((await run.result()).text).toBe('Done.');
    expect(rooms.get('1')).toEqual({ guest: 'Ada, with a view' });
  });

  test('questions of several tenants with the same ids say to whom they belong', async () => {
    const { inspector, runs } = await parked();
    for (const tenant of ['acme', 'globex'])
      await runs.forTenant(tenant).start({ id: 'r1', conversation: 'c1', messages: [{ role: 'user', content: 'x' }] });
    const waiting = await inboxOf(inspector, ({ length }) => length === 3);
    const tenants = waiting.map(({ stored }) => (stored as { readonly tenant?: string }).tenant);
    expect(tenants.sort()).toEqual(['acme', 'globex', undefined]);
    expect(waiting.find(({ stored }) => (stored as { readonly tenant?: string }).tenant === 'acme')).toMatchObject({
      stored: { run: 'r1', conversation: 'c1', tenant: 'acme', about: 'approval' },
    });
  });

  test('a reply that comes late says so, and changes nothing', async () => {
    const { inspector, rooms, run, runs } = await parked();
    const [question] = await inboxOf(inspector, ({ length }) => length === 1);
    const [open] = await runs.questions();
    await runs.reply('r1', open?.id ?? '', { kind: 'denied', reason: 'Not today.' });
    await run.result();
    expect(await tell(inspector, 'approve', { id: question?.['id'], kind: 'approved' })).toMatchObject({
      status: 200,
      said: 'late',
    });
    expect(rooms.get('1')).toEqual({ guest: 'Ada' });
  });

  test('without allowCalls, nothing is rehearsed and nobody answers', async () => {
    const { inspector, runs } = await parked({ allowCalls: false });
    const [question] = await inboxOf(inspector, ([first]) => first?.['unknown'] !== undefined);
    expect(question).toMatchObject({
      arguments: { room: '1' },
      unknown: expect.stringContaining('not allowed') as unknown,
    });
    expect(question).not.toHaveProperty('changed');
    const answer = await tell(inspector, 'approve', { id: question?.['id'], kind: 'approved' });
    expect(answer).toMatchObject({ status: 403 });
    expect(await runs.questions()).toHaveLength(1);
  });

  test('a preview is refused once the question waits no longer', async () => {
    const { run, runs } = await parked();
    const [open] = await runs.questions();
    await runs.reply('r1', open?.id ?? '', { kind: 'denied', reason: 'No.' });
    await run.result();
    await expect(runs.preview('r1', open?.id ?? '')).rejects.toMatchObject({ code: 'E743' });
  });
});
