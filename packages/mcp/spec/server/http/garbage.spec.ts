import { connect } from 'node:net';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { type McpHttpOptions, serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../../spec/support/silent';
import {
  beginSession,
  closeAll,
  closing,
  errorCode,
  HEADERS,
  httpClient,
  INITIALIZE,
  message,
  post,
} from '../../support/serverKit';

afterEach(closeAll);

async function echo(http: McpHttpOptions = {}) {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  @Section({ title: 'Echo', template: 'Echo.' })
  class Echo {
    @Tool('Say it again.') say(@Param('text', 'A text') text: string) {
      return text;
    }
    @Tool('Wait.') async wait() {
      await released;
      return 'Waited.';
    }
  }
  @Prompt({ ns: 'test', key: 'echo', sections: [Echo] })
  class Desk {}
  const app = await createApplication({ prompts: [Desk], logger: silent });
  const server = closing(serveMcp(app, app.prompt(Desk), { http }));
  return { server, url: await server.listen(), release: () => release() };
}

const say = (text: string, id: string | number) => message('tools/call', { name: 'say', arguments: { text } }, id);

/** The answer of the server to raw bytes. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.end(text));
    socket.on('data', (part) => (heard += part.toString()));
    socket.on('close', () => resolve(heard));
    socket.on('error', () => resolve(heard));
  });
}

describe('MCP-06 garbage over HTTP', () => {
  test('MCP-06 each kind of garbage has its status and its code, and the server stays up', async () => {
    const { url, release } = await echo({ maxBodyBytes: 10_000 });
    const id = await beginSession(url);
    const session = { 'mcp-session-id': id };
    const answer = async (body: string, headers: Record<string, string> = session) => {
      const response = await post(url, body, headers);
      return [response.status, await errorCode(response)];
    };
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const cases: readonly (readonly [string, string, readonly [number, number]])[] = [
      ['no JSON', '{"jsonrpc":', [400, -32700]],
      ['nothing', '', [400, -32700]],
      ['no message', '{"hello":"world"}', [400, -32600]],
      ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', [400, -32600]],
      ['a number', '7', [400, -32600]],
      ['null', 'null', [400, -32600]],
      ['an empty batch', '[]', [400, -32600]],
      ['nested arrays', nested(900), [400, -32600]],
      ['too many levels', nested(4_000), [413, -32000]],
      ['wrong id', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', [400, -32600]],
      ['too much', say('x'.repeat(10_000), 2), [413, -32000]],
      ['a second initialize', message('initialize', INITIALIZE, 3), [400, -32600]],
      ['wrong params', message('tools/call', { name: 5 }, 4), [200, -32602]],
      ['an unknown method', message('tools/destroy', {}, 5), [200, -32601]],
      ['an unknown tool', message('tools/call', { name: 'shout' }, 6), [200, -32602]],
    ];
    for (const [what, body, expected] of cases) expect([what, await answer(body)]).toEqual([what, expected]);
    const deepArguments = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"say","arguments":{"text":${nested(900)}}}}`;
    const refused = await post(url, deepArguments, session);
    expect(await refused.text()).toContain('"isError":true');
    const ignored = await post(url, message('notifications/unheard-of', { a: 1 }), session);
    expect([ignored.status, await ignored.text()]).toEqual([202, '']);
    const waiting = post(url, message('tools/call', { name: 'wait' }, 9), session);
    await until(async () => (await answer(message('ping', {}, 9)))[0] === 400);
    expect(await answer(message('ping', {}, 9))).toEqual([400, -32600]);
    release();
    expect(await (await waiting).text()).toContain('Waited.');
    expect(await (await post(url, say('still here', 10), session)).text()).toContain('still here');
  });

  test('a character whose bytes arrive in two parts is one character, over Node and the web standard', async () => {
    const { url, server } = await echo();
    const session = { 'mcp-session-id': await beginSession(url) };
    const bytes = Buffer.from(say('écoute €', 2));
    const parts = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const init = { method: 'POST', headers: { ...HEADERS, ...session }, duplex: 'half' } as const;
    const sent = await fetch(url, { ...init, body: ReadableStream.from(parts) });
    expect(await sent.text()).toContain('écoute €');
    const handled = await server.fetch(new Request(url, { ...init, body: ReadableStream.from(parts) }));
    expect(await handled.text()).toContain('écoute €');
  });

  test('MCP-06 a batch is taken where the revision has batches, and refused where it has none', async () => {
    const { url } = await echo();
    const old = { ...INITIALIZE, protocolVersion: '2025-03-26' };
    const begun = await post(url, message('initialize', old, 1));
    await begun.text();
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const batch = `[${say('one', 2)},${say('two', 3)}]`;
    const taken = await (await post(url, batch, session)).text();
    expect([taken.includes('"one"'), taken.includes('"two"')]).toEqual([true, true]);
    const current = { ...session, 'mcp-protocol-version': '2025-11-25' };
    const refused = await post(url, batch, current);
    expect([refused.status, await errorCode(refused)]).toEqual([400, -32600]);
    const twice = await post(url, `[${say('one', 4)},${say('two', 4)}]`, session);
    expect([twice.status, await errorCode(twice)]).toEqual([400, -32600]);
    const first = await post(url, `[${message('initialize', old, 1)}]`);
    expect([first.status, await errorCode(first)]).toEqual([400, -32000]);
  });

  test('MCP-06 wrong headers and methods are refused, and leave no session behind', async () => {
    const { url } = await echo({ maxSessions: 1 });
    const begin = message('initialize', INITIALIZE, 1);
    const status = async (init: RequestInit) => {
      const response = await fetch(url, { method: 'POST', body: begin, ...init });
      await response.text();
      return response.status;
    };
    expect(await status({ headers: { ...HEADERS, accept: 'text/html' } })).toBe(406);
    expect(await status({ headers: { ...HEADERS, 'content-type': 'text/plain' } })).toBe(415);
    expect(await status({ headers: HEADERS, body: message('initialize', { protocolVersion: 1 }, 1) })).toBe(400);
    expect(await status({ headers: HEADERS, method: 'PUT' })).toBe(405);
    const session = { 'mcp-session-id': await beginSession(url) };
    expect(await status({ headers: { ...HEADERS, ...session, 'mcp-protocol-version': '1999-01-01' } })).toBe(400);
  });

  test('MCP-06 bodies that grow past the limit, break off, or are no HTTP at all do not stop it', async () => {
    const { url } = await echo({ maxBodyBytes: 1_000 });
    const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const accept = 'Accept: application/json, text/event-stream\r\n';
    const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
    expect(await raw(url, `${head}${accept}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    expect(await raw(url, `${head}${accept}Content-Length: 5000\r\n\r\n{"half":`)).not.toContain(' 200 ');
    expect(await raw(url, 'not http\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    const client = await httpClient(url);
    expect(await client.callTool({ name: 'say', arguments: { text: 'still here' } })).toMatchObject({
      content: [{ text: 'still here' }],
    });
  });
});

/** Asks until it holds; the test's own limit ends it otherwise. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('where requests come from', () => {
  const begin = message('initialize', INITIALIZE, 1);
  /** With the headers as they are: `fetch` sets Host itself. */
  const from = async (url: string, headers: Record<string, string>): Promise<number> => {
    const lines = Object.entries({ ...HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const body = `content-length: ${String(begin.length)}\r\nconnection: close\r\n\r\n${begin}`;
    const answer = await raw(url, `POST /mcp HTTP/1.1\r\n${lines.join('')}${body}`);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };

  test.each([
    [{ host: 'localhost' }, 200],
    [{ host: 'LOCALHOST:3000' }, 200],
    [{ host: '[::1]:80' }, 200],
    [{ host: '127.0.0.1', origin: 'http://localhost:5173' }, 200],
    [{ host: 'evil.example' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ host: 'evil.example#localhost' }, 403],
    [{ host: '127.0.0.1', origin: 'https://evil.example' }, 403],
    [{ host: '127.0.0.1', origin: 'http://127.0.0.1.evil.example' }, 403],
    [{ host: '127.0.0.1', origin: 'null' }, 403],
    [{ host: 'evil.example', origin: 'http://localhost' }, 403],
  ] as [Record<string, string>, number][])('on this machine, %j is answered with %p', async (headers, status) => {
    const { url } = await echo();
    expect(await from(url, headers)).toBe(status);
  });

  test('the host names the hosts and origins that may call', async () => {
    const hosts = await echo({ allowedHosts: ['desk.example'] });
    expect(await from(hosts.url, { host: 'desk.example:8080', origin: 'https://desk.example' })).toBe(200);
    expect(await from(hosts.url, { host: 'localhost' })).toBe(403);
    expect(await from(hosts.url, { host: 'desk.example', origin: 'https://localhost' })).toBe(403);
    const origins = await echo({ allowedOrigins: ['https://desk.example'] });
    expect(await from(origins.url, { host: 'localhost', origin: 'https://desk.example' })).toBe(200);
    expect(await from(origins.url, { host: 'localhost', origin: 'http://desk.example' })).toBe(403);
    expect(await from(origins.url, { host: 'localhost', origin: 'http://localhost' })).toBe(403);
    expect(await from(origins.url, { host: 'localhost' })).toBe(200);
  });
});
