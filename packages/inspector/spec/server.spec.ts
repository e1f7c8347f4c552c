import { ApprovalInbox, inspectorHandler, serveInspector, type ServedInspector } from '@toolwright/inspector';
import { recordBundle } from 'toolwright/bundles';
import { ScriptedModel } from 'toolwright/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask, authorization, rowsOf, send, tell } from './client';
import { openHotel } from './desk';

let open: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

function closing<T extends { close(): Promise<void> | void }>(one: T): T {
  open.push(one);
  return one;
}

async function inspected(options: Parameters<typeof serveInspector>[1] = {}) {
  const hotel = await openHotel({ approver: options.approvals });
  const inspector = closing(await serveInspector({ app: hotel.app }, { newSession: hotel.newSession, ...options }));
  return { ...hotel, inspector };
}

const hotelState = { prompt: 'tests/hotel', params: {}, visibility: {} };
const book = (room: string, guest: string) => ({ toolCalls: [{ name: 'book', arguments: { room, guest } }] });

describe('who may ask', () => {
  test.each([
    ['without the token', { authorization: '' }, 401],
    ['with another token', { authorization: 'Bearer 0000000000000000' }, 401],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page on another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['an opaque origin', { origin: 'null' }, 403],
    ['a rebound DNS name', { host: 'evil.example:80' }, 403],
    ['a name that only begins like the loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another page of this site', { 'sec-fetch-site': 'same-site' }, 403],
  ])('a request is answered according to who asks: %s is refused', async (_who, headers, status) => {
    const { inspector } = await inspected();
    const said = await send(inspector, '/api/about', { headers: { ...authorization(inspector), ...headers } });
    expect(said.status).toBe(status);
    expect(JSON.parse(said.text)).toMatchObject({ code: 'E753', problem: expect.any(String) as string });
    expect(said.text).not.toContain('hotel');
  });

  test('the page itself needs no token, and brings no data', async () => {
    const { inspector } = await inspected();
    const refused = await send(inspector, '/', { headers: { host: 'evil.example' } });
    expect(refused.status).toBe(403);
    const { url } = inspector;
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(new URL(url).search).toBe('');
    expect(new URL(url).hash).toMatch(/^#token=[\w-]{32}$/);
  });

  test('each inspector has another token', async () => {
    const [one, other] = [await inspected(), await inspected()];
    expect(authorization(one.inspector)).not.toEqual(authorization(other.inspector));
  });

  test('every answer forbids scripts of others, frames and sniffing', async () => {
    const { inspector } = await inspected();
    for (const path of ['/', '/api/about', '/nothing']) {
      const { headers } = await send(inspector, path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test.each(['/..%2fpackage.json', '/assets/..%2f..%2fserver/index.js', '/assets/%00', '/api/../api/constructor'])(
    'no other file is served: %s',
    async (path) => {
      const { inspector } = await inspected();
      const { status, text } = await send(inspector, path, { headers: authorization(inspector) });
      expect([404, 500]).toContain(status);
      expect(text).not.toContain('"name":');
    },
  );

  test('a body has to be JSON of at most a megabyte', async () => {
    const { inspector } = await inspected();
    const headers = { ...authorization(inspector), 'content-type': 'application/json' };
    const sent = (body: string, others = {}) =>
      send(inspector, '/api/render', { method: 'POST', headers: { ...headers, ...others }, body });
    expect((await sent('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await sent('[')).status).toBe(400);
    expect((await sent('[1]')).status).toBe(400);
    expect((await sent(`"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
  });
});

describe('prompts and tools', () => {
  test('a prompt is rendered with other values and opened sections, counted section by section', async () => {
    const { inspector } = await inspected();
    expect(await ask(inspector, 'about')).toMatchObject({
      prompts: [{ id: 'tests/hotel', params: [{ name: 'Greeting', values: { house: 'Harbour House' } }] }],
    });
    const closed = await tell(inspector, 'render', hotelState);
    expect(closed['text']).toContain('Book rooms of Harbour House.');
    expect(closed).toMatchObject({
      sections: [
        { visibility: 'full', tokens: expect.any(Number) as number },
        { path: 'kitchen', visibility: 'summary', opening: expect.any(Number) as number },
      ],
    });
    const open = await tell(inspector, 'render', {
      ...hotelState,
      params: { Greeting: { house: 'the Mill' } },
      visibility: { kitchen: 'full' },
    });
    expect(open['text']).toContain('Book rooms of the Mill.');
    expect(open['text']).toContain('Breakfast is from 7 to 10');
    expect((open['tools'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'book',
      'upgrade',
      'open_safe',
      'menu',
    ]);
  });

  test.each([
    ['values that do not fit', { params: { Greeting: { house: 7 } } }, 422, 'E310'],
    ['an unknown prompt', { prompt: 'tests/other' }, 404, 'E753'],
    ['a prompt that is no text', { prompt: 7 }, 400, 'E753'],
  ])('%s is refused with the reason', async (_what, change, status, code) => {
    const { inspector } = await inspected();
    const said = await tell(inspector, 'render', { ...hotelState, ...change });
    expect(said).toMatchObject({ status, code, problem: expect.any(String) as string });
  });

  test('a tool is shown as each provider gets it, with what stands out', async () => {
    const { inspector } = await inspected();
    const safe = await tell(inspector, 'tool', { ...hotelState, tool: 'open_safe' });
    expect(safe).toMatchObject({ rehearses: null, schema: { required: ['pin'] } });
    expect((safe['findings'] as { rule: string }[]).map(({ rule }) => rule)).toEqual([
      'unknown-effect',
      'no-rehearsal',
    ]);
    expect((safe['targets'] as { target: string }[]).map(({ target }) => target)).toEqual([
      'json-schema',
      'openai',
      'anthropic',
      'gemini',
      'mcp',
    ]);
    const booking = await tell(inspector, 'tool', { ...hotelState, tool: 'book' });
    expect(booking).toMatchObject({ rehearses: 'handler', findings: [] });
  });

  test('a rehearsal shows what would change, and changes nothing', async () => {
    const { inspector, rooms } = await inspected({ allowCalls: true });
    const args = JSON.stringify({ room: '7', guest: 'Grace' });
    const said = await tell(inspector, 'rehearse', { ...hotelState, tool: 'book', arguments: args });
    expect(said).toMatchObject({ kind: 'succeeded', text: 'Grace sleeps in 7.' });
    expect(said['changed']).toMatchObject([
      { part: 'session', name: 'Bookings', changes: [{ after: { all: ['7'] } }] },
      { part: 'resource', name: 'Rooms', changes: [{ what: '7', after: { guest: 'Grace' } }] },
    ]);
    expect(rooms.has('7')).toBe(false);
  });

  test('nothing runs without allowCalls', async () => {
    const { inspector, rooms } = await inspected();
    const args = JSON.stringify({ room: '7', guest: 'Grace' });
    const said = await tell(inspector, 'rehearse', { ...hotelState, tool: 'book', arguments: args });
    expect(said).toMatchObject({ status: 403, remedy: expect.stringContaining('allowCalls') as string });
    expect(await tell(inspector, 'approve', { id: '1', kind: 'approved' })).toMatchObject({ status: 403 });
    expect(rooms.has('7')).toBe(false);
  });
});

describe('runs', () => {
  test('a live run appears row by row, with what was rolled back', async () => {
    const { app, prompt, newSession, inspector } = await inspected();
    const adapter = new ScriptedModel([book('3', 'Ada'), book('4', 'nobody'), { text: 'Done.' }]);
    await app.evaluate(prompt, { adapter, session: newSession(), messages: [{ role: 'user', content: 'A room.' }] });
    const rows = await rowsOf(inspector, 'live');
    expect(rows.map(({ name, status, depth }) => [depth, name, status])).toEqual([
      [0, 'tests/hotel', 'answered'],
      [1, 'Request 1', 'answered'],
      [1, 'book', 'succeeded'],
      [1, 'Request 2', 'answered'],
      [1, 'book', 'failed'],
      [1, 'Request 3', 'answered'],
    ]);
    expect(rows.map(({ marks }) => marks)).toEqual([
      [],
      [],
      ['resources', 'state'],
      [],
      ['resources', 'rolled back'],
      [],
    ]);
    const points = (await ask(inspector, 'points?source=live')) as unknown as readonly { seq: number }[];
    expect(points).toHaveLength(3);
    const [wrote, changed, dropped] = points.map(({ seq }) => `state?source=live&seq=${String(seq)}`);
    expect(await ask(inspector, wrote ?? '')).toMatchObject({ kept: true, resources: [{ name: 'Rooms' }] });
    expect(await ask(inspector, changed ?? '')).toMatchObject({
      before: {},
      slices: { Bookings: [{ all: ['3'] }] },
      kept: true,
    });
    expect(await ask(inspector, dropped ?? '')).toMatchObject({
      kept: false,
      resources: [{ changes: [{ what: '4' }] }],
    });
    const call = rows[4]?.['seq'] as number;
    const entries = (await ask(inspector, `entry?source=live&seq=${String(call)}`)) as unknown as readonly {
      kind: string;
    }[];
    expect(entries.map(({ kind }) => kind)).toEqual(['call', 'attempt', 'resources', 'event', 'outcome']);
  });

  test('no secret is shown', async () => {
    const { app, prompt, inspector } = await inspected();
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'open_safe', arguments: { pin: '4711-0815' } }] },
      { text: 'Open.' },
    ]);
    await app.evaluate(prompt, { adapter });
    const rows = await rowsOf(inspector, 'live');
    const seq = String(rows.find(({ name }) => name === 'open_safe')?.['seq']);
    const text = JSON.stringify([
      rows,
      await ask(inspector, `entry?source=live&seq=${seq}`),
      await ask(inspector, 'bundle'),
    ]);
    expect(text).toContain('[secret]');
    expect(text).not.toContain('4711-0815');
  });

  test('a bundle is opened, shown and made a test, and a gigabyte is refused', async () => {
    const { app, prompt } = await openHotel();
    const recording = recordBundle(app);
    const adapter = new ScriptedModel([book('3', 'Ada'), { text: 'Done.' }]);
    await app.evaluate(prompt, { adapter, messages: [{ role: 'user', content: 'A room.' }], runId: 'r1' });
    const inspector = closing(await serveInspector({}, { bundles: { maxBytes: 1_000_000 } }));
    const headers = { ...authorization(inspector), 'content-type': 'application/x-ndjson' };
    const put = (body: string) => send(inspector, '/api/bundle?name=x.jsonl', { method: 'POST', headers, body });
    const { id } = JSON.parse((await put(recording.text())).text) as { id: string };
    expect((await rowsOf(inspector, id)).map(({ name }) => name)).toEqual([
      'tests/hotel',
      'Request 1',
      'book',
      'Request 2',
    ]);
    expect((await ask(inspector, `test?source=${id}&run=r1`))['text']).toContain("test('replays tests/hotel, run r1'");
    expect(JSON.parse((await put('{"kind":"other"}')).text)).toMatchObject({ code: 'E750' });
    expect(await endlessUpload(inspector)).toBe(413);
    expect((await ask(inspector, 'about'))['sources']).toHaveLength(1);
  });
});

/** Sends up to a gigabyte and returns the status; the server must answer long before. */
async function endlessUpload(inspector: ServedInspector): Promise<number | undefined> {
  const { request } = await import('node:http');
  const { port } = new URL(inspector.url);
  const headers = { ...authorization(inspector), 'content-type': 'application/x-ndjson' };
  return new Promise((resolve) => {
    let sent = 0;
    const upload = request({ host: '127.0.0.1', port, path: '/api/bundle', method: 'POST', headers }, (response) => {
      response.resume();
      resolve(sent < 100_000_000 ? response.statusCode : undefined);
      upload.destroy();
    });
    upload.on('error', () => undefined);
    const more = (): void => {
      while (sent < 1024 ** 3 && !upload.destroyed) {
        sent += 65_536;
        if (!upload.write(Buffer.alloc(65_536, ' '))) return void upload.once('drain', more);
      }
    };
    more();
  });
}

describe('approvals', () => {
  test('a call waits with what it would change, until a person answers', async () => {
    const approvals = new ApprovalInbox();
    const { app, prompt, rooms, inspector } = await inspected({ approvals, allowCalls: true });
    const upgrade = { toolCalls: [{ name: 'upgrade', arguments: { room: '1', guest: 'Ada' } }] };
    const run = app.evaluate(prompt, { adapter: new ScriptedModel([upgrade, upgrade, { text: 'Done.' }]) });
    await until(() => approvals.waiting[0]?.changed !== undefined);
    expect(approvals.waiting).toMatchObject([
      {
        tool: 'upgrade',
        arguments: { room: '1' },
        changed: [
          { name: 'Rooms', changes: [{ what: '1', before: { guest: 'Ada' }, after: { guest: 'Ada, with a view' } }] },
        ],
      },
    ]);
    expect(rooms.get('1')).toEqual({ guest: 'Ada' });
    const [first] = approvals.waiting;
    await tell(inspector, 'approve', { id: first?.id, kind: 'denied', reason: 'Not today.' });
    await until(() => approvals.waiting.length === 1 && approvals.waiting[0] !== first);
    expect(rooms.get('1')).toEqual({ guest: 'Ada' });
    await tell(inspector, 'approve', { id: approvals.waiting[0]?.id, kind: 'approved' });
    const { transcript } = await run;
    const said = transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    expect(said[0]).toContain('Not today.');
    expect(said[1]).toBe('Upgraded.');
    expect(rooms.get('1')).toEqual({ guest: 'Ada, with a view' });
    const calls = (await rowsOf(inspector, 'live')).filter(({ kind }) => kind === 'call');
    expect(calls.map(({ status, marks }) => [status, (marks as readonly string[]).includes('approved')])).toEqual([
      ['denied', false],
      ['succeeded', true],
    ]);
    expect(await tell(inspector, 'approve', { id: '1', kind: 'approved' })).toMatchObject({ status: 404 });
  });

  test('a call whose run is cancelled waits no longer', async () => {
    const approvals = new ApprovalInbox();
    const { app, prompt } = await inspected({ approvals });
    const controller = new AbortController();
    const upgrade = { toolCalls: [{ name: 'upgrade', arguments: { room: '1', guest: 'Ada' } }] };
    const run = app
      .evaluate(prompt, { adapter: new ScriptedModel([upgrade]), signal: controller.signal })
      .catch(() => 'ended');
    await until(() => approvals.waiting.length === 1);
    controller.abort();
    expect(await run).toBe('ended');
    expect(approvals.waiting).toEqual([]);
  });
});

describe('mounted', () => {
  test('a mounted inspector answers below its path, and does not touch other requests', async () => {
    const { app } = await openHotel();
    const handler = await inspectorHandler({ app }, { path: '/dev/inspector', hosts: ['dev.example'] });
    const server = createServer((request, response) => {
      if (!handler.handle(request, response)) response.end('mine');
    });
    closing(handler);
    const inspector = await listening(server, handler.path);
    expect((await send(inspector, '/orders')).text).toBe('mine');
    expect((await send(inspector, '/dev/inspectors')).text).toBe('mine');
    expect(await send(inspector, '/dev/inspector')).toMatchObject({
      status: 308,
      headers: { location: '/dev/inspector/' },
    });
    const headers = { ...authorization(inspector), host: 'dev.example' };
    expect((await send(inspector, '/dev/inspector/api/about', { headers })).status).toBe(200);
    expect(
      (await send(inspector, '/dev/inspector/api/about', { headers: { ...headers, host: 'other.example' } })).status,
    ).toBe(403);
  });
});

async function listening(server: Server, path: string): Promise<ServedInspector> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${path}`;
  return closing({ url, close, [Symbol.asyncDispose]: close });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
