import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { McpClient, type McpServerOptions, type McpService, serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../spec/support/silent';
import {
  beginSession,
  closeAll,
  closing,
  HEADERS,
  httpClient,
  message,
  post,
  listenOnLoopback,
} from '../support/serverKit';
import { ask, call, readAnswer, stateless, STATELESS, textOf } from '../support/statelessKit';

afterEach(closeAll);

/** The used part of Express, which has no types here. */
interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void;
  use(middleware: unknown): ExpressApp;
  all(path: string, handler: McpService['handler']): ExpressApp;
}
const express = jest.requireActual<(() => ExpressApp) & { json(options: object): unknown }>('express');

class Called {}

@Section({
  key: 'details',
  title: 'Details',
  template: 'All details.',
  summary: 'Details on request.',
  visibility: 'summary',
})
class Details {
  @Tool({ name: 'get_details', description: 'Give details.' }) details() {
    return 'The details.';
  }
}

@Section({ title: 'Desk', template: 'A desk.' })
class DeskSection {
  @Tool('Greet.') greet(@Param('name', 'Who') name: string) {
    return `Hello, ${name}.`;
  }
  @Tool('Count.') count(context: ToolContext) {
    context.session.dispatch(new Called());
    return context.session.slice(Called).all().length;
  }
  @Tool('Who calls?') who(context: ToolContext) {
    const client = McpClient.of(context);
    return [client?.info?.name, client?.peer.principal, client?.peer.sessionId, client?.headers['x-request']].join(' ');
  }
  @Tool('Report.') async report(context: ToolContext) {
    context.reportProgress({ fraction: 0.5 });
    await McpClient.of(context)?.log('info', 'Half.');
    return 'Reported.';
  }
  @Tool('Wait.') async wait(context: ToolContext) {
    context.session.dispatch(new Called());
    waiting.push(context.signal);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    return 'Waited.';
  }
}
/** The signals of handlers that wait. */
const waiting: AbortSignal[] = [];

@Prompt({ ns: 'test', key: 'desk', sections: [DeskSection, Details] })
class Desk {}

@Section({
  title: 'Hidden',
  template: 'Hidden at first.',
  enabled: ({ session }) => session.slice(Called).all().length > 0,
})
class Hidden {
  @Tool({ name: 'hidden', description: 'Is hidden at first.' }) hidden() {
    return 'Found.';
  }
}

@Prompt({ ns: 'test', key: 'changing', sections: [DeskSection, Hidden] })
class Changing {}

async function serving(options: McpServerOptions = {}, prompt: new () => object = Desk): Promise<McpService> {
  const app = await createApplication({ prompts: [prompt], logger: silent });
  return closing(serveMcp(app, app.prompt(prompt), options));
}

const listening = async (options: McpServerOptions = {}): Promise<string> => (await serving(options)).listen();

describe('MCP-10 requests without sessions', () => {
  test('MCP-10 one address answers clients of both revisions', async () => {
    const url = await listening();
    const discovered = await ask(url, 'server/discover');
    expect(discovered.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [STATELESS],
      instructions: expect.stringContaining('A desk.') as string,
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
    });
    expect(textOf(await call(url, 'greet', { arguments: { name: 'Ada' } }))).toBe('Hello, Ada.');
    const client = await httpClient(url);
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Eve' } })).toMatchObject({
      content: [{ text: 'Hello, Eve.' }],
    });
    const id = await beginSession(url);
    expect((await post(url, message('ping', {}, 5), { 'mcp-session-id': id })).status).toBe(200);
  });

  test('MCP-10 a request carries its own session: nothing remains of the last one', async () => {
    const url = await listening();
    expect(textOf(await call(url, 'count'))).toBe('1');
    expect(textOf(await call(url, 'count'))).toBe('1');
    const session = new Session();
    const kept = await listening({ session: () => session });
    expect(textOf(await call(kept, 'count'))).toBe('1');
    expect(textOf(await call(kept, 'count'))).toBe('2');
  });

  test('MCP-10 a handler learns its client, principal and headers, and no session id', async () => {
    const url = await listening({ http: { principal: ({ headers }) => headers['x-user'] } });
    const headers = { 'x-user': 'ada', 'x-request': 'r1' };
    expect(textOf(await call(url, 'who', {}, { headers }))).toBe('test-client ada  r1');
  });

  test('MCP-10 a session id is ignored, whoever it belongs to', async () => {
    const url = await listening();
    const id = await beginSession(url, { authorization: 'Bearer ada' });
    for (const given of [id, 'guess'])
      expect(textOf(await call(url, 'count', {}, { headers: { 'mcp-session-id': given } }))).toBe('1');
  });

  test('MCP-10 the tools of summarised sections are listed in a stable order, and can be called', async () => {
    const url = await listening();
    const list = async (): Promise<readonly { name: string }[]> =>
      (await ask(url, 'tools/list')).result['tools'] as readonly { name: string }[];
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual(['greet', 'count', 'who', 'report', 'wait', 'open_sections', 'get_details']);
    expect(JSON.stringify(await list())).toBe(JSON.stringify(await list()));
    expect(textOf(await call(url, 'get_details'))).toBe('The details.');
    const opened = await call(url, 'open_sections', { arguments: { section_keys: ['details'], reason: 'Needed.' } });
    expect(textOf(opened)).toContain('All details.');
  });

  test('MCP-10 progress is sent when it was asked for, and log entries from the level that was asked for', async () => {
    const url = await listening();
    expect((await call(url, 'report')).notifications).toEqual([]);
    const _meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' };
    const { notifications, result } = await call(url, 'report', { _meta });
    expect(notifications.map(({ method }) => method)).toEqual(['notifications/progress', 'notifications/message']);
    expect(result.content?.[0]?.text).toBe('Reported.');
  });

  test('MCP-10 a client that leaves aborts its call', async () => {
    const url = await listening();
    const leaving = new AbortController();
    const gone = call(url, 'wait', {}, { signal: leaving.signal }).catch(() => 'gone');
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    leaving.abort();
    expect(await gone).toBe('gone');
    const [signal] = waiting.splice(0);
    while (signal?.aborted === false) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(signal?.aborted).toBe(true);
  });

  test('MCP-10 closing waits for calls, then aborts them and ends streams', async () => {
    const server = await serving();
    const url = await server.listen();
    const listening = await fetch(url, {
      method: 'POST',
      ...stateless('subscriptions/listen', { params: { notifications: { toolsListChanged: true } } }),
    });
    const waited = call(url, 'wait').catch(() => undefined);
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.close({ graceMs: 10 });
    expect(waiting.splice(0)[0]?.aborted).toBe(true);
    expect(await listening.text()).toContain('"resultType":"complete"');
    await waited;
  });
});

describe('MCP-11 what clients may keep', () => {
  test('MCP-11 lists that cannot change may be kept and shared, others not', async () => {
    const hintsOf = async (url: string, method: string, params = {}) => {
      const { ttlMs, cacheScope } = (await ask(url, method, { params })).result;
      return [ttlMs, cacheScope];
    };
    const [own, shared] = [
      [0, 'private'],
      [300_000, 'public'],
    ];
    const fixed = await listening({
      resources: [{ uri: 'test://now', name: 'now', read: () => String(Math.random()) }],
    });
    for (const method of ['tools/list', 'resources/list', 'prompts/list', 'server/discover'])
      expect([method, await hintsOf(fixed, method)]).toEqual([method, shared]);
    expect(await hintsOf(fixed, 'resources/read', { uri: 'toolwright://test/desk' })).toEqual(shared);
    expect(await hintsOf(fixed, 'resources/read', { uri: 'test://now' })).toEqual(own);
    const changing = await (await serving({}, Changing)).listen();
    expect(await hintsOf(changing, 'tools/list')).toEqual(own);
    expect(await hintsOf(changing, 'prompts/list')).toEqual(shared);
    expect(await hintsOf(await listening({ session: () => new Session() }), 'tools/list')).toEqual(own);
  });
});

describe('MCP-12 changes', () => {
  /** The frames of a stream, read until a text is in them. */
  async function readUntil(response: Response, text: string): Promise<string> {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let read = '';
    while (!read.includes(text)) {
      const part = await reader.read();
      if (part.done) break;
      read += Buffer.from(part.value).toString();
    }
    await reader.cancel();
    return read;
  }

  const listen = (url: string, notifications: object): Promise<Response> =>
    fetch(url, { method: 'POST', ...stateless('subscriptions/listen', { params: { notifications }, id: 'sub' }) });

  test('MCP-12 a call that changes the tools tells the streams that asked for it, also of another process', async () => {
    const eventBus = new InMemoryServerEventBus();
    const session = new Session();
    const options = { eventBus, session: () => session };
    const [one, other] = [await serving(options, Changing), await serving(options, Changing)];
    const [stream, url] = [await listen(await other.listen(), { toolsListChanged: true }), await one.listen()];
    expect((await call(url, 'hidden')).error.code).toBe(-32602);
    await call(url, 'count');
    expect(await readUntil(stream, 'list_changed')).toContain('notifications/tools/list_changed');
    expect(textOf(await call(url, 'hidden'))).toBe('Found.');
  });

  test('MCP-12 the host announces changes that calls did not make', async () => {
    const server = await serving();
    const url = await server.listen();
    const [lists, document] = [
      await listen(url, { resourcesListChanged: true }),
      await listen(url, { resourceSubscriptions: ['test://one'] }),
    ];
    await server.refresh();
    expect(await readUntil(lists, 'list_changed')).not.toContain('tools/list_changed');
    await server.resourceUpdated('test://other');
    await server.resourceUpdated('test://one');
    const heard = await readUntil(document, 'resources/updated');
    expect(heard).toContain('test://one');
    expect(heard).not.toContain('test://other');
  });
});

describe('MCP-13 malformed requests without sessions', () => {
  test.each<[string, Parameters<typeof ask>[1], Parameters<typeof ask>[2], number, number]>([
    ['a header of another version', 'tools/list', { headers: { 'mcp-protocol-version': '2025-11-25' } }, 400, -32020],
    ['a header of another method', 'tools/list', { headers: { 'mcp-method': 'tools/call' } }, 400, -32020],
    [
      'a header of another tool',
      'tools/call',
      { params: { name: 'greet' }, headers: { 'mcp-name': 'count' } },
      400,
      -32020,
    ],
    [
      'an unknown version',
      'tools/list',
      {
        params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
        headers: { 'mcp-protocol-version': '2099-01-01' },
      },
      400,
      -32022,
    ],
    ['an unknown method', 'tools/dance', {}, 404, -32601],
    ['a method that is gone', 'ping', {}, 404, -32601],
    ['params of another type', 'tools/call', { params: { name: 'greet', arguments: 7 } }, 200, -32602],
    ['an unknown tool', 'tools/call', { params: { name: 'dance' } }, 200, -32602],
    ['an unknown document', 'resources/read', { params: { uri: 'test://nothing' } }, 200, -32602],
    ['an invalid cursor', 'tools/list', { params: { cursor: 'x' } }, 200, -32602],
  ])('MCP-13 %s is refused with its code', async (_title, method, asking, status, code) => {
    const answer = await ask(await listening(), method, asking);
    expect([answer.status, answer.error.code]).toEqual([status, code]);
  });

  test('MCP-13 a body without its envelope, with another media type, or in a batch is refused', async () => {
    const url = await listening();
    const { body, headers } = stateless('tools/list');
    const send = async (text: string, more: Record<string, string> = {}) => {
      const answer = await readAnswer(
        await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: text }),
      );
      return [answer.status, answer.error.code];
    };
    expect(await send(message('tools/list', {}, 1))).toEqual([400, -32602]);
    expect(await send(body, { 'content-type': 'text/plain' })).toEqual([415, -32000]);
    expect((await send(`[${body}]`))[0]).toBe(400);
    expect(await send('{')).toEqual([400, -32700]);
    const got = await fetch(url, { headers: { ...HEADERS, 'mcp-protocol-version': STATELESS } });
    expect(got.status).toBe(405);
  });
});

/** Sends a request with headers that `fetch` does not let through. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const { body, headers: own } = stateless('tools/list');
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers: { ...own, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end(body);
  });
}

describe.each<[string, (server: McpService) => Promise<string>]>([
  ['listen', (server) => server.listen()],
  [
    'handler on node:http',
    (server) => listenOnLoopback(createServer((request, response) => void server.handler(request, response))),
  ],
  ['Express', (server) => listenOnLoopback(createServer(express().all('/', server.handler)))],
  [
    'Express with parsed bodies',
    (server) =>
      listenOnLoopback(
        createServer(
          express()
            .use(express.json({ limit: '20mb' }))
            .all('/', server.handler),
        ),
      ),
  ],
  [
    'Fastify',
    async (server) => {
      const app = closing(Fastify({ bodyLimit: 20 * 1024 * 1024 }));
      app.all('/', (request, reply) => {
        reply.hijack();
        (request.raw as IncomingMessage & { body?: unknown }).body = request.body;
        void server.handler(request.raw, reply.raw);
      });
      return app.listen({ port: 0, host: '127.0.0.1' });
    },
  ],
])('MCP-14 limits without sessions: %s', (_way, mount) => {
  const mounted = async (http: McpServerOptions['http'] = {}): Promise<string> => mount(await serving({ http }));

  test('MCP-14 hosts, origins, sizes and values are limited as with sessions', async () => {
    const url = await mounted({ maxBodyBytes: 600_000 });
    expect(textOf(await call(url, 'greet', { arguments: { name: 'Ada' } }))).toBe('Hello, Ada.');
    expect(await statusOf(url, { host: 'evil.example' })).toBe(403);
    expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403);
    const padded = (filler: unknown) =>
      call(url, 'greet', { arguments: { name: 'Ada', filler } }).then(({ status }) => status);
    expect(await padded(Array.from({ length: 30_000 }, () => 0))).toBe(413);
    const wide = { params: { cursor: 'x'.repeat(200_000) } };
    expect((await ask(url, 'tools/list', wide)).status).toBe(400);
  });

  test('MCP-14 credentials are asked for, and the requests of one principal are limited', async () => {
    const url = await mounted({
      principal: ({ headers }) => headers['x-user'] ?? false,
      maxRequestsPerPrincipal: 1,
    });
    expect((await ask(url, 'tools/list')).status).toBe(401);
    const headers = { 'x-user': 'ada' };
    const stream = await fetch(url, {
      method: 'POST',
      ...stateless('subscriptions/listen', { params: { notifications: { toolsListChanged: true } }, headers }),
    });
    const refused = await ask(url, 'tools/list', { headers });
    expect([refused.status, refused.error.data?.code]).toEqual([429, 'E695']);
    expect((await ask(url, 'tools/list', { headers: { 'x-user': 'eve' } })).status).toBe(200);
    await stream.body?.cancel();
    while ((await ask(url, 'tools/list', { headers })).status === 429)
      await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

test('MCP-14 fetch answers without sessions, and with the authorisation of the request', async () => {
  const server = await serving();
  const { body, headers } = stateless('tools/call', { params: { name: 'who' } });
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, body });
  const authInfo = { token: 't', clientId: 'desk', scopes: [], extra: { sub: 'ada' } };
  expect(textOf(await readAnswer(await server.fetch(request, { authInfo })))).toBe('test-client ["desk","ada"]  ');
  const foreign = new Request('http://evil.example/mcp', { method: 'POST', headers, body });
  expect((await server.fetch(foreign)).status).toBe(403);
});

test('MCP-15 two processes behind a round robin serve one client', async () => {
  const servers = [await listening(), await listening()];
  let turn = 0;
  const proxy = await listenOnLoopback(
    createServer((request, response) => {
      const target = servers[turn++ % servers.length] ?? '';
      const { host: _host, ...headers } = request.headers;
      request.pipe(
        httpRequest(target, { method: request.method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    }),
  );
  for (let time = 0; time < 4; time++) {
    expect((await ask(proxy, 'tools/list')).status).toBe(200);
    expect(textOf(await call(proxy, 'get_details'))).toBe('The details.');
    expect(textOf(await call(proxy, 'count'))).toBe('1');
  }
  expect(turn).toBe(12);
});
