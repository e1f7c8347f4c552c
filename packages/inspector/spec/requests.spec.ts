import { ApprovalInbox, inspectorHandler, serveInspector, type ServedInspector } from '@toolwright/inspector';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { ask, authorization, send, tell } from './client';
import { openHotel } from './desk';

let open: { close(): Promise<void> | void }[] = [];

afterEach(async () => {
  for (const each of open) await each.close();
  open = [];
});

async function startInspector(options: Parameters<typeof serveInspector>[1] = {}) {
  const hotel = await openHotel({ approver: options.approvals });
  const inspector = await serveInspector({ app: hotel.app }, { newSession: hotel.newSession, ...options });
  open.push(inspector);
  return { ...hotel, inspector };
}

/** Sends bytes as they are, and returns everything that comes back until the connection is closed. */
async function sendRaw(
  { url }: Pick<ServedInspector, 'url'>,
  bytes: string | Buffer,
  isCutOff = false,
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let said = '';
  socket.on('data', (part: Buffer) => (said += part.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (isCutOff) socket.end(bytes);
  else socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

const statusOf = (said: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(said)?.[1] ?? NaN);

function head(inspector: ServedInspector, line: string, others: Readonly<Record<string, string>> = {}): string {
  const headers = { host: new URL(inspector.url).host, connection: 'close', ...authorization(inspector), ...others };
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${fields.join('')}\r\n`;
}

/** The inspector still answers the page. */
async function isAlive(inspector: ServedInspector): Promise<boolean> {
  return (await ask(inspector, 'about'))['hasApp'] === true;
}

const TARGETS = [
  '//',
  '///',
  '//a:b',
  '//evil.example/api/about',
  '//[',
  '/\\\\',
  '*',
  'http://x/',
  'http://x:99999/',
  'http://',
  'ftp://x/',
  '?',
  '/?',
  '/%',
  '/%zz',
  '/..%2f',
  '/../../package.json',
  '/api',
  '/api/',
  '/api//about',
  '/api/../api/about',
  '/api/%61bout',
  '/api/constructor',
  '/api/__proto__',
  '/api/entry?source=live&seq=',
  '/api/entry?source=__proto__&seq=1e400',
  '/api/rows?source=constructor',
  '/api/test?source=live&run=%',
  '/assets/%2e%2e/server/index.js',
  '/assets/a%00.js',
  `/${'a'.repeat(10_000)}`,
  `/${'%2f'.repeat(30_000)}`,
  '/\u0000',
  '/a\u0000b',
  '/\u00ff\u0001',
  '/ /',
];

describe('requests of anybody', () => {
  test.each(TARGETS)('the target %j gets a status', async (target) => {
    const { inspector } = await startInspector();
    for (const method of ['GET', 'POST']) {
      const said = await sendRaw(inspector, head(inspector, `${method} ${target}`, { 'content-length': '0' }));
      expect(statusOf(said)).toBeGreaterThanOrEqual(target === '/?' && method === 'GET' ? 200 : 400);
      expect(statusOf(said)).toBeLessThan(600);
    }
    expect(await isAlive(inspector)).toBe(true);
  });

  test('a page of another site cannot end it with an image', async () => {
    const { inspector } = await startInspector();
    const image = `GET // HTTP/1.1\r\nhost: ${new URL(inspector.url).host}\r\nsec-fetch-site: cross-site\r\nconnection: close\r\n\r\n`;
    expect(statusOf(await sendRaw(inspector, image))).toBe(403);
    expect(await isAlive(inspector)).toBe(true);
  });

  test('a mounted inspector leaves other targets to the server', async () => {
    const { app } = await openHotel({});
    const handler = await inspectorHandler({ app }, { path: '/inspector' });
    const server = createServer((request, response) => {
      if (!handler.handle(request, response)) response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(handler, { close: () => void server.close() });
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${String(port)}/`;
    for (const [target, status] of [
      ['//', 404],
      ['//inspector/', 404],
      ['*', 404],
      ['http://x/inspector/', 404],
      ['/inspector', 308],
      ['/inspector//', 404],
    ] as const) {
      const said = await sendRaw(
        { url },
        `OPTIONS ${target} HTTP/1.1\r\nhost: 127.0.0.1:${String(port)}\r\nconnection: close\r\n\r\n`,
      );
      expect([target, statusOf(said)]).toEqual([target, target === '/inspector//' ? 405 : status]);
    }
  });

  test.each(['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PATCH', 'PROPFIND', 'CONNECT', 'M-SEARCH', 'nonsense'])(
    'the method %s gets a status',
    async (method) => {
      const { inspector } = await startInspector();
      for (const target of ['/', '/api/about', '127.0.0.1:1', '*']) {
        const said = await sendRaw(inspector, head(inspector, `${method} ${target}`));
        expect(statusOf(said)).toBeGreaterThanOrEqual(400);
        expect(statusOf(said)).toBeLessThan(500);
      }
      expect(await isAlive(inspector)).toBe(true);
    },
  );

  test.each([
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['no HTTP', '\u0016\u0003\u0001\u0002\u0000\u0001'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost 127.0.0.1\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\u0000\r\n\r\n'],
    ['headers of 100 kB', `GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['5,000 headers', `GET /api/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\n${'x: 1\r\n'.repeat(5_000)}\r\n`],
    ['two lengths', 'POST /api/render HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    ['an expectation', 'POST /api/render HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: tea\r\nconnection: close\r\n\r\n'],
    ['a wrong chunk', 'POST /api/render HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ])('the inspector answers a request of anybody with a status: %s', async (_which, bytes) => {
    const { inspector } = await startInspector();
    expect(statusOf(await sendRaw(inspector, bytes))).toBeGreaterThanOrEqual(400);
    expect(await isAlive(inspector)).toBe(true);
  });

  test('an upgrade is answered as any request', async () => {
    const { inspector } = await startInspector();
    const said = await sendRaw(
      inspector,
      head(inspector, 'GET /api/nothing', { connection: 'Upgrade', upgrade: 'websocket' }).replace(/$/, ''),
      true,
    );
    expect(statusOf(said)).toBe(404);
  });

  test('a body that is cut off, at any place, harms nobody', async () => {
    const { inspector } = await startInspector({ allowCalls: true });
    const body = '{"prompt":"tests/hotel","params":{},"visibility":{},"tool":"book","arguments":"{}"}';
    for (const route of ['render', 'sent', 'tool', 'rehearse', 'fork', 'approve', 'bundle'])
      for (const length of [0, 1, 40]) {
        const type = route === 'bundle' ? 'application/x-ndjson' : 'application/json';
        const whole = head(inspector, `POST /api/${route}`, {
          'content-type': type,
          'content-length': String(body.length),
        });
        await sendRaw(inspector, `${whole}${body.slice(0, length)}`, true);
      }
    expect(await isAlive(inspector)).toBe(true);
  });

  test('JSON of any type and key gets a status', async () => {
    const { inspector } = await startInspector({ allowCalls: true, approvals: new ApprovalInbox() });
    const keys = [
      'prompt',
      'params',
      'visibility',
      'tool',
      'arguments',
      'target',
      'source',
      'seq',
      'kind',
      'id',
      'text',
      'toolCalls',
      'path',
      'strict',
      '__proto__',
      'constructor',
      'toString',
    ];
    const texts = fc.constantFrom(
      'tests/hotel',
      'live',
      'book',
      '{}',
      'gemini',
      'answer',
      'section',
      'approved',
      'kitchen',
      'constructor',
      '__proto__',
      '',
    );
    const value = fc.oneof(texts, fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, 0, -1, 1e308, true, [], [[]]));
    const body = fc.array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('render', 'sent', 'tool', 'rehearse', 'fork', 'approve'),
        body,
        async (route, entries) => {
          // Written by hand, since `__proto__` has to be a key.
          const text = `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`).join(',')}}`;
          const headers = { ...authorization(inspector), 'content-type': 'application/json' };
          const said = await send(inspector, `/api/${route}`, { method: 'POST', headers, body: text });
          expect([200, 400, 404, 409, 422]).toContain(said.status);
          JSON.parse(said.text);
        },
      ),
      { numRuns: 150 },
    );
    expect(await isAlive(inspector)).toBe(true);
  }, 60_000);

  test('any bytes as a target get a status', async () => {
    const { inspector } = await startInspector();
    const character = fc.constantFrom(
      '/',
      '\\',
      '.',
      '%',
      '?',
      '#',
      ':',
      '@',
      '[',
      ']',
      'a',
      '0',
      '2',
      'e',
      'f',
      '*',
      '\u00e9',
      '\u007f',
      'api/',
      'about',
      '//',
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, minLength: 1, maxLength: 12 }), async (target) => {
        const said = await sendRaw(inspector, Buffer.from(head(inspector, `GET ${target}`), 'latin1'));
        expect(statusOf(said)).toBeGreaterThanOrEqual(200);
      }),
      { numRuns: 150 },
    );
    expect(await isAlive(inspector)).toBe(true);
  }, 60_000);
});

describe('properties of a prototype are not options', () => {
  const polluted: Readonly<Record<string, unknown>> = {
    allowCalls: true,
    hosts: ['evil.example'],
    adapter: { name: 'evil', complete: () => undefined },
    approvals: {},
    path: '/evil',
  };

  afterEach(() => {
    for (const name of Object.keys(polluted)) Reflect.deleteProperty(Object.prototype, name);
  });

  test('properties on the prototype of Object switch nothing on', async () => {
    const hotel = await openHotel({});
    for (const [name, value] of Object.entries(polluted))
      Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
    const inspector = await serveInspector({ app: hotel.app });
    open.push(inspector);
    expect(new URL(inspector.url).pathname).toBe('/');
    expect(await ask(inspector, 'about')).toMatchObject({ allowCalls: false, hasApprovals: false });
    const called = await tell(inspector, 'rehearse', { prompt: 'tests/hotel', tool: 'book', arguments: '{}' });
    expect(called['status']).toBe(403);
    const rebound = await send(inspector, '/', { headers: { host: 'evil.example' } });
    expect(rebound.status).toBe(403);
  });
});
