import { createServer, type IncomingMessage } from 'node:http';
import { createApplication, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { McpClient, type McpPeer, type McpServerOptions, serveMcp } from '@toolwright/mcp';
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
  listenOnLoopback,
} from '../../support/serverKit';

afterEach(closeAll);

/** A server that counts calls in each session. */
async function counting(options: McpServerOptions = {}) {
  class Called {}
  const waiting: ((value: unknown) => void)[] = [];
  @Section({ title: 'Counting', template: 'Counting.' })
  class Counting {
    @Tool('Count this call.') count(context: ToolContext) {
      context.session.dispatch(new Called());
      return context.session.slice(Called).all().length;
    }
    @Tool('Who calls?') who(context: ToolContext) {
      const client = McpClient.of(context);
      return `${client?.headers['x-request'] ?? '-'} ${client?.authInfo?.clientId ?? '-'} ${client?.peer.headers['x-request'] ?? '-'}`;
    }
    @Tool('Wait.') async wait(context: ToolContext) {
      context.session.dispatch(new Called());
      await new Promise((resolve) => {
        waiting.push(resolve);
        context.signal.addEventListener('abort', resolve);
      });
      return 'Waited.';
    }
    @Tool('Answer on another stream.') async later(context: ToolContext) {
      McpClient.of(context)?.closeStream();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 'Later.';
    }
  }
  @Prompt({ ns: 'test', key: 'counter', sections: [Counting] })
  class Counter {}
  const app = await createApplication({ prompts: [Counter], logger: silent });
  const server = closing(serveMcp(app, app.prompt(Counter), options));
  /** Resolves once so many handlers wait. */
  const handlersWait = async (count: number) => {
    while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const release = () => waiting.forEach((resolve) => resolve(null));
  return { server, url: await server.listen(), handlersWait, release };
}

const textOf = (result: object): string | undefined =>
  (result as { readonly content?: readonly { readonly text?: string }[] }).content?.[0]?.text;

const count = (id: number) => message('tools/call', { name: 'count' }, id);

describe('sessions that have ended', () => {
  const idleMs = 1_234_567;
  /** The idle timers that are not cleared: each of them keeps a session. */
  function watchTimers(): () => number {
    const spy = jest.spyOn(globalThis, 'setTimeout');
    open = () => spy.mockRestore();
    return () =>
      spy.mock.results.filter(({ value }, index) => {
        const [, delay] = spy.mock.calls[index] ?? [];
        return delay === idleMs && !(value as { readonly _destroyed: boolean })._destroyed;
      }).length;
  }
  let open = (): void => undefined;
  afterEach(() => open());

  test('sessions that have ended are kept by nothing: ended by the client, evicted, or refused', async () => {
    const held = watchTimers();
    const { url, server } = await counting({ http: { idleMs, maxSessionsPerPrincipal: 3 } });
    for (let time = 0; time < 20; time++) {
      const id = await beginSession(url);
      const answer = await fetch(url, { method: 'DELETE', headers: { ...HEADERS, 'mcp-session-id': id } });
      expect(answer.status).toBe(200);
    }
    expect(held()).toBe(0);
    for (let time = 0; time < 10; time++) await beginSession(url);
    expect(held()).toBe(3);
    for (let time = 0; time < 10; time++)
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(INITIALIZE),
      });
    expect(held()).toBeLessThanOrEqual(3);
    await server.close();
    expect(held()).toBe(0);
  });
});

describe('MCP-04 sessions over HTTP', () => {
  test('MCP-04 each client has its own session, with a random id', async () => {
    const { url } = await counting();
    const [one, other] = [await httpClient(url), await httpClient(url)];
    expect(textOf(await one.callTool({ name: 'count' }))).toBe('1');
    expect(textOf(await one.callTool({ name: 'count' }))).toBe('2');
    expect(textOf(await other.callTool({ name: 'count' }))).toBe('1');
    const ids = [await beginSession(url), await beginSession(url)];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test('MCP-04 without an id it is 400, with a wrong one 404, and so it is after DELETE', async () => {
    const { url } = await counting();
    const id = await beginSession(url);
    const status = async (method: string, headers: Record<string, string>): Promise<number> => {
      const body = method === 'POST' ? { body: count(1) } : {};
      const response = await fetch(url, { method, headers: { ...HEADERS, ...headers }, ...body });
      await response.text();
      return response.status;
    };
    for (const method of ['POST', 'GET', 'DELETE']) {
      expect([method, await status(method, {})]).toEqual([method, 400]);
      expect([method, await status(method, { 'mcp-session-id': 'guess' })]).toEqual([method, 404]);
    }
    expect(await status('POST', { 'mcp-session-id': id })).toBe(200);
    expect(await status('DELETE', { 'mcp-session-id': id })).toBe(200);
    for (const method of ['POST', 'GET', 'DELETE']) expect(await status(method, { 'mcp-session-id': id })).toBe(404);
  });

  test('MCP-04 a session is bound to the credentials that began it: for any other it does not exist', async () => {
    const { url } = await counting();
    const id = await beginSession(url, { authorization: 'Bearer ada' });
    const call = (headers: Record<string, string>) => post(url, count(2), { 'mcp-session-id': id, ...headers });
    expect((await call({ authorization: 'Bearer ada' })).status).toBe(200);
    for (const headers of [{ authorization: 'Bearer eve' }, {}] as Record<string, string>[]) {
      const foreign = await call(headers);
      const unknown = await post(url, count(2), { ...headers, 'mcp-session-id': 'guess' });
      expect([foreign.status, await foreign.text()]).toEqual([404, await unknown.text()]);
      const ended = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id, ...headers } });
      expect(ended.status).toBe(404);
    }
    expect((await call({ authorization: 'Bearer ada' })).status).toBe(200);
  });

  test('MCP-04 the host may say whose request it is, and makes the session accordingly', async () => {
    const peers: McpPeer[] = [];
    const { url } = await counting({
      session: (peer) => {
        peers.push(peer);
        return new Session({ tags: { user: peer.principal ?? 'nobody' } });
      },
      http: { principal: ({ headers }) => headers['x-user'] },
    });
    const id = await beginSession(url, { 'x-user': 'ada' });
    expect(peers).toMatchObject([{ transport: 'http', sessionId: id, principal: 'ada', headers: { 'x-user': 'ada' } }]);
    expect((await post(url, count(2), { 'mcp-session-id': id, 'x-user': 'eve' })).status).toBe(404);
    expect((await post(url, count(2), { 'mcp-session-id': id, 'x-user': 'ada' })).status).toBe(200);
  });

  test('there are only so many sessions at a time, and there is room again when one ends', async () => {
    const { url } = await counting({ http: { maxSessions: 2 } });
    const [first] = [await beginSession(url), await beginSession(url)];
    const refused = await post(url, message('initialize', INITIALIZE, 1));
    expect([refused.status, await errorCode(refused)]).toEqual([503, -32000]);
    await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': first } });
    expect(await beginSession(url)).not.toBe('');
  });

  test('an idle one ends; one whose stream is open does not', async () => {
    const { url } = await counting({ http: { idleMs: 1_500, maxSessions: 2 } });
    const [idle, open] = [await beginSession(url), await beginSession(url)];
    const stream = await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': open } });
    expect(stream.status).toBe(200);
    // To look at a session would keep it alive: there is room for another one as soon as one has ended.
    while ((await beginSession(url)) === '') await new Promise((resolve) => setTimeout(resolve, 20));
    const isThere = async (id: string) => (await post(url, count(1), { 'mcp-session-id': id })).status === 200;
    expect([await isThere(idle), await isThere(open)]).toEqual([false, true]);
    await stream.body?.cancel();
  });

  test('MCP-04 DELETE ends what the session still does', async () => {
    const session = new Session();
    const { url, handlersWait } = await counting({ session: () => session });
    const id = await beginSession(url);
    const call = post(url, message('tools/call', { name: 'wait' }, 2), { 'mcp-session-id': id });
    await handlersWait(1);
    expect((await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(200);
    expect(await (await call).text()).not.toContain('Waited.');
    // Another session of the same state counts what was kept of that call: nothing.
    const client = await httpClient(url);
    expect(textOf(await client.callTool({ name: 'count' }))).toBe('1');
  });

  test('closing waits for calls, and their answers arrive', async () => {
    const { server, url, handlersWait, release } = await counting();
    const [one, other] = [await httpClient(url), await httpClient(url)];
    const calls = [one, other].map((client) => client.callTool({ name: 'wait' }));
    await handlersWait(2);
    const closed = server.close({ graceMs: 60_000 });
    release();
    expect((await Promise.all(calls)).map(textOf)).toEqual(['Waited.', 'Waited.']);
    await closed;
  });

  test('a handler sees the headers and the authorisation of its own request', async () => {
    const { server } = await counting();
    // What a middleware that checks tokens does.
    const host = await listenOnLoopback(
      createServer((request: IncomingMessage & { auth?: unknown }, response) => {
        request.auth = { token: 'secret', clientId: 'desk', scopes: [], extra: { sub: 'ada' } };
        void server.handler(request, response);
      }),
    );
    const client = await httpClient(host, { 'x-request': 'r1' });
    expect(textOf(await client.callTool({ name: 'who' }))).toBe('r1 desk r1');
  });
});

describe('other ways in', () => {
  type Kept = IncomingMessage & { body?: unknown; rawBody?: unknown };

  /** A host that reads each body before the handler, and keeps it in its own way. */
  async function reading(keep: (request: Kept, body: Buffer) => void): Promise<string> {
    const { server } = await counting({ http: { maxBodyBytes: 1_000 } });
    return listenOnLoopback(
      createServer((request: Kept, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          if (parts.length > 0) keep(request, Buffer.concat(parts));
          setImmediate(() => void server.handler(request, response));
        });
      }),
    );
  }

  test.each<[string, (request: Kept, body: Buffer) => void]>([
    ['parsed', (request, body) => (request.body = JSON.parse(body.toString()) as unknown)],
    ['as text', (request, body) => (request.body = body.toString())],
    ['as bytes', (request, body) => (request.body = body)],
    ['as rawBody alone', (request, body) => (request.rawBody = body)],
  ])('a body that a framework has read already is taken: %s', async (_kind, keep) => {
    const client = await httpClient(await reading(keep));
    expect(textOf(await client.callTool({ name: 'count' }))).toBe('1');
  });

  test('text that a framework has read is bounded, and may be no JSON', async () => {
    const url = await reading((request, body) => (request.body = body.toString()));
    const large = await post(url, message('initialize', { ...INITIALIZE, more: 'x'.repeat(1_000) }, 1));
    expect([large.status, await errorCode(large)]).toEqual([413, -32000]);
    const broken = await post(url, '{"jsonrpc"');
    expect([broken.status, await errorCode(broken)]).toEqual([400, -32700]);
  });

  test('a body that a framework has read and not passed on is an error of the host, which says what to do', async () => {
    const response = await post(await reading(() => undefined), message('initialize', INITIALIZE, 1));
    expect([response.status, await response.json()]).toEqual([
      500,
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32603,
          message:
            'The body was read before the request reached server.handler, and request.body is not set. Mount the handler before the middleware that reads the body, or set request.body to the value it read.',
        },
      },
    ]);
  });

  test('fetch answers requests of the web standard', async () => {
    const { server } = await counting();
    const send = (body: string, headers: Record<string, string> = {}) =>
      server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers: { ...HEADERS, ...headers }, body }), {
        authInfo: { token: 't', clientId: 'desk', scopes: [] },
      });
    const begun = await send(message('initialize', INITIALIZE, 1));
    expect(await begun.text()).toContain('"serverInfo":{"name":"test/counter"');
    const id = begun.headers.get('mcp-session-id') ?? '';
    const answer = await send(message('tools/call', { name: 'who' }, 2), { 'mcp-session-id': id });
    expect(await answer.text()).toContain('"text":"- desk -"');
    const foreign = await server.fetch(new Request('http://evil.example/mcp', { method: 'POST', body: '{}' }));
    expect(foreign.status).toBe(403);
  });

  test('a client whose stream ends comes back for the answer', async () => {
    const { url } = await counting({ http: { retryMs: 10 } });
    const client = await httpClient(url);
    expect(textOf(await client.callTool({ name: 'later' }))).toBe('Later.');
  });

  test('a stream of another session cannot be asked for', async () => {
    const { url } = await counting();
    const [mine, theirs] = [await beginSession(url), await beginSession(url)];
    const version = { 'mcp-protocol-version': '2025-11-25' };
    const answer = await post(url, count(2), { 'mcp-session-id': theirs, ...version });
    const eventId = /^id: (.+)$/m.exec(await answer.text())?.[1] ?? '';
    expect(eventId).not.toBe('');
    const resume = async (id: string) => {
      const headers = { accept: 'text/event-stream', 'mcp-session-id': id, 'last-event-id': eventId, ...version };
      const response = await fetch(url, { headers });
      await response.body?.cancel();
      return response.status;
    };
    expect([await resume(mine), await resume(theirs)]).toEqual([400, 200]);
  });

  test('another path is not answered, and nothing is after closing', async () => {
    const { server, url } = await counting();
    expect((await fetch(`${url}/more`, { method: 'POST' })).status).toBe(404);
    const late = createServer((request, response) => void server.handler(request, response));
    const host = await listenOnLoopback(late);
    await server.close();
    expect((await post(host, message('initialize', INITIALIZE, 1))).status).toBe(503);
    await expect(fetch(url)).rejects.toThrow();
  });
});
