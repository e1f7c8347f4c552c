import { EventEmitter, once } from 'node:events';
import { IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { McpClient, type McpServerOptions, type McpService, serveMcp } from '@toolwright/mcp';
import { MAX_ROOM_CHECKS, ROOM_CHECK_MS } from '../../src/limits';
import { respond } from '../../src/server/http/nodeHttp';
import { HELD_MS, leastPause } from '../../../../spec/support/hostPause';
import { measureAround } from '../../../../spec/support/attacks/around';
import { silent } from '../../../../spec/support/silent';
import { beginSession, closeAll, closing, HEADERS, INITIALIZE, message, post } from '../support/serverKit';
import { stateless } from '../support/statelessKit';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

measureAround();
afterEach(closeAll);

/** A server with a tool that answers, one that waits, and one that sends ten megabytes of news. */
async function serving(options: McpServerOptions = {}): Promise<McpService> {
  @Section({ title: 'Echo', template: 'Echo.' })
  class Echo {
    @Tool('Answer.') answer() {
      return 'Answer.';
    }
    @Tool('Wait.') async wait(context: ToolContext) {
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      return 'Waited.';
    }
    @Tool('Tell.') async tell(context: ToolContext) {
      for (let part = 0; part < 100; part++) await McpClient.of(context)?.log('info', 'x'.repeat(100_000));
      return 'Told.';
    }
    @Tool('Report.') report(context: ToolContext) {
      for (let part = 0; part < 8_000; part++)
        context.reportProgress({ fraction: part / 8_000, message: 'x'.repeat(100) });
      return 'Reported.';
    }
    @Tool('Write.') async write(context: ToolContext) {
      await McpClient.of(context)?.log('info', 'x'.repeat(1_500_000));
      return 'Written.';
    }
  }
  @Prompt({ ns: 'test', key: 'echo', sections: [Echo] })
  class Desk {}
  const app = await createApplication({ prompts: [Desk], logger: silent });
  return closing(serveMcp(app, app.prompt(Desk), options));
}

/** Reads nothing for longer than the server looks for it. Both count turns of one event loop, however busy the machine is. */
async function outlastLooks(): Promise<void> {
  for (let look = 0; look < 4 * MAX_ROOM_CHECKS; look++) await sleep(ROOM_CHECK_MS);
}

const listening = async (options: McpServerOptions = {}): Promise<string> => (await serving(options)).listen();

/** The status of `initialize` with these headers, which are sent as they are. */
function statusWith(url: string, headers: Record<string, string>, localAddress?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { ...HEADERS, ...headers }, localAddress };
    const sent = request(url, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end(message('initialize', INITIALIZE, 1));
  });
}

const call = (name: string, id: number): string => message('tools/call', { name }, id);
const coded = async (response: Response): Promise<readonly [number, unknown]> => {
  const { error } = (await response.json()) as { readonly error?: { readonly data?: { readonly code?: string } } };
  return [response.status, error?.data?.code];
};

describe('one client among others', () => {
  test('HOST-08a an anonymous client that begins sessions without end shuts out no other', async () => {
    const url = await listening({ http: { maxSessions: 20, maxSessionsPerPrincipal: 5 } });
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) ids.push(await beginSession(url));
    expect(await statusWith(url, {}, '127.0.0.2')).toBe(200);
    expect(await statusWith(url, { authorization: 'Bearer ada' })).toBe(200);
    const alive = await Promise.all(
      ids.map(async (id) => (await post(url, call('answer', 2), { 'mcp-session-id': id })).status),
    );
    expect(alive).toEqual([...Array<number>(35).fill(404), ...Array<number>(5).fill(200)]);
  });

  test('HOST-08b the session that was used last stays, and busy ones are not ended', async () => {
    const url = await listening({ http: { maxSessionsPerPrincipal: 2 } });
    const [busy, idle] = [await beginSession(url), await beginSession(url)];
    const waiting = await post(url, call('wait', 2), { 'mcp-session-id': busy });
    const third = await beginSession(url);
    const status = async (id: string): Promise<number> =>
      (await post(url, call('answer', 3), { 'mcp-session-id': id })).status;
    expect([await status(busy), await status(idle), await status(third)]).toEqual([200, 404, 200]);
    const more = await post(url, call('wait', 4), { 'mcp-session-id': third });
    expect(await coded(await post(url, message('initialize', INITIALIZE, 1)))).toEqual([429, 'E695']);
    expect(await statusWith(url, { authorization: 'Bearer ada' })).toBe(200);
    await waiting.body?.cancel();
    await more.body?.cancel();
  });

  test('HOST-08c requests that one client leaves open shut out no other', async () => {
    const url = await listening({ http: { maxRequestsPerPrincipal: 3 } });
    const id = await beginSession(url);
    const open = await Promise.all([2, 3, 4].map((each) => post(url, call('wait', each), { 'mcp-session-id': id })));
    expect(await coded(await post(url, call('answer', 5), { 'mcp-session-id': id }))).toEqual([429, 'E695']);
    const other = { authorization: 'Bearer ada' };
    const theirs = await beginSession(url, other);
    expect((await post(url, call('answer', 2), { 'mcp-session-id': theirs, ...other })).status).toBe(200);
    // What ends others is always taken.
    const ended = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect(ended.status).toBe(200);
    await Promise.all(open.map(async (response) => response.body?.cancel()));
    expect(await statusWith(url, {})).toBe(200);
  });

  test('HOST-08d a client that does not read its stream is cut off, and its messages do not pile up', async () => {
    const server = await serving({ http: { maxUnreadBytes: 500_000 } });
    const send = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
      server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers: { ...HEADERS, ...headers }, body }));
    const begun = await send(message('initialize', INITIALIZE, 1));
    const id = begun.headers.get('mcp-session-id') ?? '';
    await begun.text();
    const stalled = await send(call('tell', 2), { 'mcp-session-id': id });
    await outlastLooks();
    await expect(stalled.text()).rejects.toMatchObject({ code: 'E695' });
    // One that reads gets everything.
    const read = await send(call('tell', 3), { 'mcp-session-id': id });
    expect((await read.text()).length).toBeGreaterThan(10_000_000);
  });

  test('HOST-08e a socket whose client stops reading is closed', async () => {
    const url = await listening({ http: { maxUnreadBytes: 100_000 } });
    const id = await beginSession(url);
    const { hostname, port } = new URL(url);
    const body = call('tell', 2);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.on('error', () => undefined);
    const headers = { ...HEADERS, host: `${hostname}:${port}`, 'mcp-session-id': id, 'content-length': body.length };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    await outlastLooks();
    const closed = once(socket, 'close');
    let received = 0;
    socket.on('data', (part: Buffer) => (received += part.length));
    socket.resume();
    await closed;
    expect(received).toBeLessThan(9_000_000);
  });

  test('HOST-08j a client that reads slowly leaves no listener for each part of its stream', async () => {
    let most = 0;
    const target = Object.assign(new EventEmitter(), {
      setHeader: () => target,
      writeHead: () => target,
      flushHeaders: () => undefined,
      end: () => target,
      write: () => {
        most = Math.max(most, target.listenerCount('drain') + target.listenerCount('close'));
        setImmediate(() => target.emit('drain'));
        return false;
      },
    });
    const parts = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let part = 0; part < 200; part++) controller.enqueue(new Uint8Array(10));
        controller.close();
      },
    });
    await respond(new IncomingMessage(new Socket()), target as unknown as ServerResponse, new Response(parts));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(5);
  });

  test.each([
    ['8,000 reports in one piece', 'report', 'Reported.'],
    ['a log of 1.5 MB and the result at once', 'write', 'Written.'],
  ])('HOST-08k a client that reads gets all of %s', async (_name, name, expected) => {
    const server = await serving();
    const url = await server.listen();
    const asked = (): ReturnType<typeof stateless> =>
      stateless('tools/call', { params: { name, _meta: { progressToken: 't', [LOG_LEVEL]: 'info' } } });
    const overSocket = await (await fetch(url, { method: 'POST', ...asked() })).text();
    const inProcess = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', ...asked() }));
    for (const text of [overSocket, await inProcess.text()]) {
      expect(text).toContain(expected);
      expect(text.length).toBeGreaterThan(1_200_000);
    }
  });

  test('HOST-08f the host refuses a request, now or later: 401 with a code, and no session', async () => {
    const url = await listening({
      http: { principal: ({ headers }) => Promise.resolve(headers['x-user'] === 'ada' && 'ada') },
    });
    expect(await coded(await post(url, message('initialize', INITIALIZE, 1)))).toEqual([401, 'E694']);
    const id = await beginSession(url, { 'x-user': 'ada' });
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await post(url, call('answer', 2), { 'mcp-session-id': id, ...headers })).status;
    expect([await status({ 'x-user': 'ada' }), await status({})]).toEqual([200, 401]);
  });

  test.each([[{ name: 'ada' }], [7], [null], [true]])(
    'HOST-08g a principal %j that is no text is never taken for anonymous',
    async (found) => {
      const url = await listening({ http: { principal: () => found as never } });
      expect(await statusWith(url, {})).toBe(500);
    },
  );

  test('HOST-08h cookies say nothing: with another one, the session is the same', async () => {
    const url = await listening();
    const id = await beginSession(url, { cookie: 'user=ada' });
    expect((await post(url, call('answer', 2), { 'mcp-session-id': id, cookie: 'user=eve' })).status).toBe(200);
  });
});

describe('bodies', () => {
  test.each([
    [
      'a legal list of millions',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":[${'1,'.repeat(2_000_000)}1]}}`,
    ],
    ['a batch of objects', `[${'{},'.repeat(1_300_000)}{}]`],
    [
      'levels',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"answer","arguments":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_002)}`,
    ],
    ['keys', `{${Array.from({ length: 300_000 }, (_none, index) => `"k${String(index)}":1`).join()}}`],
  ])('HOST-05f a body of four megabytes is refused at once: %s', async (_what, body) => {
    const url = await listening();
    const send = async (): Promise<string> => {
      const response = await post(url, body);
      return `${String(response.status)} ${await response.text()}`;
    };
    expect(await leastPause(send)).toBeLessThanOrEqual(HELD_MS);
    expect(await send()).toMatch(/^413 .*21000 values at most, in 1000 levels/);
  });
});

describe('messages', () => {
  const long = 'x'.repeat(3_000_000);
  const keys = Array.from({ length: 19_900 }, (_none, index) => `"k${String(index)}":1`).join();
  const deep = `${'{"a":'.repeat(900)}1${'}'.repeat(900)}`;
  const values = /^400 .*"code":-32600,.*1000 values at most, the arguments of a tool not counted/;
  const chars = /^400 .*"code":-32600,.*100000 characters at most, its arguments not counted/;
  const calling = (params: string): string => `"id":2,"method":"tools/call","params":{"name":"answer"${params}}`;

  test.each<[string, string, RegExp]>([
    ['19,900 arguments', calling(`,"arguments":{${keys}}`), /^200 .*not accepted/s],
    [
      'a list of 19,900 in an argument',
      calling(`,"arguments":{"a":[${'1,'.repeat(19_800)}1]}`),
      /^200 .*not accepted/s,
    ],
    [
      '19,900 arguments of a prompt',
      `"id":2,"method":"prompts/get","params":{"name":"x","arguments":{${keys.replaceAll(':1', ':"1"')}}}`,
      values,
    ],
    [
      '19,900 arguments where there are none',
      `"id":2,"method":"resources/read","params":{"uri":"x:y","arguments":{${keys}}}`,
      values,
    ],
    ['arguments in 900 levels', calling(`,"arguments":${deep}`), /^200 .*not accepted/s],
    ['19,900 keys of params', calling(`,${keys}`), values],
    ['19,900 keys of _meta', calling(`,"_meta":{${keys}}`), values],
    ['19,900 keys of its own', `${calling('')},${keys}`, values],
    ['a result of 19,900 keys', `"id":"none","result":{${keys}}`, values],
    ['a notification of 19,900 keys', `"method":"notifications/roots/list_changed","params":{${keys}}`, values],
    ['an id of 3 MB', `"id":"${long}","method":"ping"`, /^400 .*"message":"id has 3000000 characters; 1000 are.*null/],
    ['an id of 3 MB that ends', `"id":"${long}","result":{}`, /^400 .*"message":"id has 3000000 characters/],
    ['a method of 3 MB', `"id":2,"method":"${long}"`, /^400 .*"message":"method has 3000000 characters/],
    ['a token of 3 MB', calling(`,"_meta":{"progressToken":"${long}"}`), /^400 .*"message":"progressToken has/],
    [
      'news of a token of 3 MB',
      `"method":"notifications/progress","params":{"progressToken":"${long}"}`,
      /^400 .*Token/,
    ],
    [
      'the end of an id of 3 MB',
      `"method":"notifications/cancelled","params":{"requestId":"${long}"}`,
      /requestId has/,
    ],
    ['an address of 3 MB', `"id":2,"method":"resources/read","params":{"uri":"${long}"}`, chars],
    ['the name of a tool of 3 MB', `"id":2,"method":"tools/call","params":{"name":"${long}"}`, chars],
    ['a key of 3 MB', calling(`,"_meta":{"${long}":1}`), chars],
  ])('HOST-05q a message with %s is answered at once', async (_what, members, expected) => {
    const url = await listening();
    const id = await beginSession(url);
    const body = `{"jsonrpc":"2.0",${members}}`;
    const send = async (): Promise<string> => {
      const response = await post(url, body, { 'mcp-session-id': id });
      return `${String(response.status)} ${await response.text()}`;
    };
    expect(await send()).toMatch(expected);
    expect((await send()).length).toBeLessThan(3_000);
    expect(await leastPause(send)).toBeLessThanOrEqual(HELD_MS);
  });
});

describe('pages and names that lead to this machine', () => {
  test.each([
    'evil://localhost',
    'chrome-extension://localhost',
    'file://localhost',
    'ws://localhost',
    'javascript://localhost',
    'http://localhost.evil.example',
    'http://evil.example#localhost',
    'http://localhost@evil.example',
    'http://evil@localhost',
    'http://localhost/path',
    'http://localhost?x',
    'http://localhost.',
    'http://127.1',
    'http://0x7f000001',
    'http://127.0.0.1.evil.example',
    'http://[::ffff:127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::1].evil.example',
    'http://0.0.0.0',
    'http://localhost, http://evil.example',
    ' http://evil.example',
    'null',
    'localhost',
    '*',
    '',
  ])('HOST-15a pages of the origin %p may not call', async (origin) => {
    expect(await statusWith(await listening(), { origin })).toBe(403);
  });

  test.each(['http://localhost', 'https://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:5173'])(
    'HOST-15a pages of the origin %p, on this machine, may call from any port',
    async (origin) => {
      expect(await statusWith(await listening(), { origin })).toBe(200);
    },
  );

  test.each([
    'evil@localhost',
    'localhost@evil.example',
    'localhost.evil.example',
    'localhost/evil.example',
    'localhost?evil.example',
    'localhost#evil.example',
    'localhost:3000:4000',
    'localhost:port',
    'localhost.',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::1',
    '[::1].evil.example',
    'localhost, evil.example',
  ])('HOST-15a requests for the host %p are refused', async (host) => {
    expect(await statusWith(await listening(), { host })).toBe(403);
  });

  test.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:80', '[::1]:3000'])(
    'HOST-15a requests for the host %p, on this machine, are answered',
    async (host) => {
      expect(await statusWith(await listening(), { host })).toBe(200);
    },
  );

  test('HOST-15a origins that are listed are compared as a whole, with scheme and port', async () => {
    const url = await listening({ http: { allowedOrigins: ['https://desk.example'] } });
    const status = (origin: string): Promise<number | undefined> => statusWith(url, { origin });
    expect(await status('https://desk.example')).toBe(200);
    for (const origin of ['http://desk.example', 'https://desk.example:444', 'https://desk.example.evil', 'null'])
      expect([origin, await status(origin)]).toEqual([origin, 403]);
  });

  test('HOST-15a names that a proxy forwards change nothing', async () => {
    const url = await listening();
    const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
    expect(await statusWith(url, { host: 'evil.example', ...forwarded })).toBe(403);
  });
});
