import assert from 'node:assert/strict';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Catch,
  Injectable,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { DeskModule, Diary } from './desk.js';
import { listen, type BodyOptions, type Check, type Platform, type Served } from './platform.js';

type Prepare = (nest: INestApplication, platform: Platform) => unknown;

/** Serves the desk for one check, and closes it in any case. */
function served(
  work: (served: Served, platform: Platform) => Promise<void>,
  options: BodyOptions = {},
  prepare: Prepare = () => undefined,
): (platform: Platform) => Promise<void> {
  return async (platform) => {
    const app = await listen(platform, DeskModule, options, (nest) => prepare(nest, platform));
    try {
      await work(app, platform);
    } finally {
      await app.nest.close();
    }
  };
}

const ann = { 'content-type': 'application/json', 'x-user': 'ann' };
const events = { ...ann, accept: 'text/event-stream' };

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = ann) =>
  fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

/** Reads JSON with the parser of this module: in jest, that of `fetch` makes objects of another realm. */
const jsonOf = async (response: Response): Promise<unknown> => JSON.parse(await response.text()) as unknown;

const answer = async (url: string, message: string, user = 'ann'): Promise<string> => {
  const response = await post(url, { message }, { ...ann, 'x-user': user });
  return ((await response.json()) as { text: string }).text;
};

/** Asks for work, with a connection of its own: fetch would open another one when it leaves, which keeps the server waiting. */
function leaving(url: string, headers: Readonly<Record<string, string>>) {
  const client = httpRequest(url, { method: 'POST', headers });
  client.on('error', () => undefined);
  const first = new Promise<string>((resolve) => {
    client.once('response', (response) => response.once('data', (part: Buffer) => resolve(part.toString())));
  });
  client.end('{"message":"work"}');
  return { first, leave: () => client.destroy() };
}

/** Connects the official client, which has to list and call the tools. */
async function connect(url: string, user = 'ann'): Promise<Client> {
  const client = new Client({ name: 'cells', version: '1.0.0' });
  const requestInit = { headers: { 'x-user': user } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

async function say(client: Client, text: string): Promise<unknown> {
  const { content } = await client.callTool({ name: 'say', arguments: { text } });
  return (content as readonly { readonly text: string }[])[0]?.text;
}

/** Lists and calls tools over MCP. */
async function useMcp(url: string, text = 'hello'): Promise<void> {
  const client = await connect(url);
  try {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['say', 'work', 'who_am_i'],
    );
    assert.equal(await say(client, text), `said ${text.length > 100 ? `${String(text.length)} characters` : text}`);
  } finally {
    await client.close();
  }
}

/** Wraps every answer, as many applications do. */
@Injectable()
class Wrap implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (host.getType<string>() !== 'http') return next.handle();
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

interface AnyResponse {
  status(code: number): AnyResponse;
  send(body: unknown): unknown;
}

/** Answers every error in the form of the application; works on both platforms. */
@Catch()
class OwnForm implements ExceptionFilter {
  catch(exception: Error & { getStatus?(): number }, host: ArgumentsHost): unknown {
    if (host.getType<string>() !== 'http') throw exception;
    const response = host.switchToHttp().getResponse<AnyResponse>();
    return response.status(exception.getStatus?.() ?? 500).send({ fault: exception.message });
  }
}

interface FastifyReply {
  header(name: string, value: string): void;
}

/** Hooks before a request is handled, and before an answer of Fastify is sent. */
function addHooks(nest: INestApplication): void {
  const fastify = nest.getHttpAdapter().getInstance() as {
    addHook(name: string, hook: (request: object, reply: FastifyReply) => Promise<void>): void;
  };
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('x-early', 'yes');
  });
  fastify.addHook('onSend', async (_request, reply) => {
    reply.header('x-late', 'yes');
  });
}

/** Compresses whatever may be, from the first byte on. */
async function compress(nest: INestApplication, platform: Platform): Promise<void> {
  const [name, options] =
    platform === 'express' ? ['compression', { threshold: 0 }] : ['@fastify/compress', { threshold: 0 }];
  const { default: plugin } = (await import(name)) as { default: (given: object) => unknown };
  if (platform === 'express') nest.use(plugin(options));
  else
    await (nest as unknown as { register(given: unknown, options: object): Promise<unknown> }).register(
      plugin,
      options,
    );
}

const chat: Readonly<Record<string, (platform: Platform) => Promise<void>>> = {
  'chat: an answer as JSON, a refusal without a message, a guard': served(async ({ url }) => {
    const response = await post(`${url}/chat`, { message: 'say hello' });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual(await jsonOf(response), { text: 'said hello', complete: true });
    assert.equal((await post(`${url}/chat`, {})).status, 400);
    assert.equal((await post(`${url}/chat`, '{"message"')).status, 400);
    assert.equal((await post(`${url}/chat`, { message: 'say' }, { 'content-type': 'application/json' })).status, 401);
  }),

  'chat: classes of the request scope are built for each request': served(async ({ url }) => {
    const users = ['ann', 'bob', 'eve'];
    assert.deepEqual(await Promise.all(users.map((user) => answer(`${url}/chat`, 'who_am_i', user))), users);
  }),

  'chat: events arrive as they happen, and a client that goes away ends the run': served(async ({ nest, url }) => {
    const client = leaving(`${url}/chat`, events);
    assert.match(await client.first, /event: begun/);
    const diary = nest.get(Diary);
    await diary.has('begun');
    assert.deepEqual(diary.lines, ['begun']);
    client.leave();
    await diary.has('stopped');
  }),

  'chat: a client that goes away before its answer as JSON ends the run': served(async ({ nest, url }) => {
    const client = leaving(`${url}/chat`, ann);
    await nest.get(Diary).has('begun');
    client.leave();
    await nest.get(Diary).has('stopped');
  }),

  'chat: a run that fails has a code: before the head as a status, after it as an event': served(async ({ url }) => {
    const before = await post(`${url}/chat`, { message: 'fail_late' });
    assert.equal(before.status, 500);
    assert.equal((await before.text()).includes('sk-secret'), false);
    const after = await (await post(`${url}/chat`, { message: 'fail_late' }, events)).text();
    assert.match(after, /event: error\ndata: \{"code":"E7\d\d"\}\n\n$/);
    assert.equal(await answer(`${url}/chat`, 'say again'), 'said again');
  }),

  'chat: headers that the application sets are on answers and on streams': served(
    async ({ url }) => {
      for (const headers of [ann, events]) {
        const response = await post(
          `${url}/chat`,
          { message: 'say hello' },
          { ...headers, origin: 'https://a.example' },
        );
        assert.equal(response.headers.get('access-control-allow-origin'), 'https://a.example');
        await response.text();
      }
    },
    {},
    (nest) => {
      nest.enableCors({ origin: 'https://a.example' });
    },
  ),

  'chat: headers and hooks of the platform are for every answer': served(
    async ({ url }, platform) => {
      for (const headers of [ann, events]) {
        const response = await post(`${url}/chat`, { message: 'say hello' }, headers);
        assert.equal(response.headers.get('x-early'), 'yes');
        const isSent = platform === 'fastify' && headers === ann;
        assert.equal(response.headers.get('x-late'), isSent ? 'yes' : null);
        await response.text();
      }
      assert.equal((await fetch(`${url}/mcp`, { headers: ann })).headers.get('x-early'), 'yes');
    },
    {},
    (nest, platform) => {
      if (platform === 'fastify') addHooks(nest);
      else
        nest.use((_request: unknown, response: ServerResponse, next: () => void) => {
          response.setHeader('x-early', 'yes');
          next();
        });
    },
  ),

  'chat: a global prefix, versions, a raw body': served(
    async ({ url }) => assert.equal(await answer(`${url}/api/v1/chat`, 'say hello'), 'said hello'),
    { rawBody: true },
    (nest) => {
      nest.setGlobalPrefix('api');
      nest.enableVersioning({ type: VersioningType.URI });
    },
  ),

  'chat: global interceptors and filters for HTTP': served(
    async ({ url }) => {
      assert.equal(await answer(`${url}/chat`, 'say hello'), 'said hello');
      const refused = await post(`${url}/chat`, { message: 'say' }, { 'content-type': 'application/json' });
      assert.deepEqual([refused.status, await jsonOf(refused)], [401, { fault: 'Sign in first.' }]);
      assert.match(await (await post(`${url}/chat`, { message: 'fail_late' }, events)).text(), /event: error/);
    },
    {},
    (nest) => {
      nest.useGlobalInterceptors(new Wrap());
      nest.useGlobalFilters(new OwnForm());
    },
  ),
};

const mcp: Readonly<Record<string, (platform: Platform) => Promise<void>>> = {
  'mcp: the official client lists and calls tools, and ends its session': served(async ({ url }) => {
    await useMcp(`${url}/mcp`);
    const refused = await post(`${url}/mcp`, {}, { 'content-type': 'application/json' });
    assert.equal(refused.status, 401);
    assert.match(await refused.text(), /Sign in first/);
  }),

  'mcp: what a guard adds to the request is the principal of the session': served(async ({ url }) => {
    const client = await connect(`${url}/mcp`, 'bob');
    const { content } = await client.callTool({ name: 'who_am_i' });
    assert.deepEqual(content, [{ type: 'text', text: 'bob' }]);
    const { sessionId } = client.transport as StreamableHTTPClientTransport;
    const stolen = await post(
      `${url}/mcp`,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { ...events, accept: 'application/json, text/event-stream', 'mcp-session-id': sessionId! },
    );
    assert.equal(stolen.status, 404);
    await client.close();
  }),

  'mcp: with a raw body kept': served(({ url }) => useMcp(`${url}/mcp`), { rawBody: true }),

  'mcp: without the parsers of Nest': served(({ url }) => useMcp(`${url}/mcp`), { bodyParser: false }),

  'mcp: under a global prefix and a version': served(
    ({ url }) => useMcp(`${url}/api/v1/mcp`),
    {},
    (nest) => {
      nest.setGlobalPrefix('api');
      nest.enableVersioning({ type: VersioningType.URI });
    },
  ),

  'mcp: global interceptors and filters for HTTP': served(
    ({ url }) => useMcp(`${url}/mcp`),
    {},
    (nest) => {
      nest.useGlobalInterceptors(new Wrap());
      nest.useGlobalFilters(new OwnForm());
    },
  ),

  'mcp: a body beyond the limit is refused, and one within it is not': served(
    async ({ url }) => {
      await useMcp(`${url}/mcp`, 'x'.repeat(200_000));
      const client = await connect(`${url}/mcp`);
      await assert.rejects(say(client, 'x'.repeat(400_000)), /large/i);
      assert.equal(await say(client, 'small'), 'said small');
      await client.close();
    },
    {},
    (nest) => {
      const { useBodyParser } = nest as unknown as { useBodyParser(type: string, options: object): unknown };
      useBodyParser.call(nest, ...jsonLimit(nest, 300_000));
    },
  ),

  'mcp: progress arrives while the call runs, and a call that is cancelled is aborted': served(
    async ({ nest, url }) => {
      const client = await connect(`${url}/mcp`);
      const stop = new AbortController();
      const progress = new Promise<void>((resolve, reject) => {
        const options = { signal: stop.signal, onprogress: () => resolve() };
        client.callTool({ name: 'work' }, undefined, options).catch(reject);
      });
      await progress;
      stop.abort();
      await nest.get(Diary).has('stopped');
      await client.close();
    },
  ),

  'mcp: other methods': served(async ({ url }) => {
    const bare = { 'x-user': 'ann' };
    const head = await fetch(`${url}/mcp`, { method: 'HEAD', headers: bare });
    const options = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers: bare });
    const put = await fetch(`${url}/mcp`, { method: 'PUT', headers: ann, body: '{}' });
    assert.deepEqual([head.status, options.status, put.status], [405, 405, 405]);
    assert.equal(put.headers.get('allow'), 'GET, POST, DELETE');
    assert.equal((await fetch(`${url}/mcp`, { headers: bare })).status, 400);
  }),

  'mcp: CORS, for clients in browsers': served(
    async ({ url }) => {
      const origin = { ...ann, origin: 'http://localhost:5173', accept: 'application/json, text/event-stream' };
      const hello = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
      };
      const response = await post(`${url}/mcp`, hello, origin);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('access-control-allow-origin'), 'http://localhost:5173');
      assert.notEqual(response.headers.get('mcp-session-id'), null);
      await response.text();
      const preflight = await fetch(`${url}/mcp`, {
        method: 'OPTIONS',
        headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
      });
      assert.equal(preflight.status, 204);
    },
    {},
    (nest) => {
      nest.enableCors({ origin: 'http://localhost:5173', exposedHeaders: ['Mcp-Session-Id'] });
    },
  ),
};

/** The arguments with which Express and Fastify set the limit of JSON bodies. */
function jsonLimit(nest: INestApplication, bytes: number): [string, object] {
  const isExpress = nest.getHttpAdapter().getType() === 'express';
  return isExpress ? ['json', { limit: bytes }] : ['application/json', { bodyLimit: bytes }];
}

const mounted: Readonly<Record<string, (platform: Platform) => Promise<void>>> = {
  'a mounted handler gets method and parsed body': served(async ({ url }) => {
    assert.equal(await (await post(`${url}/mounted`, { id: 1 })).text(), 'POST undefined {"id":1}');
  }),

  'a mounted handler that throws: before the head by the filters of Nest, after it the connection ends': served(
    async ({ url }) => {
      const early = await fetch(`${url}/mounted?early`);
      assert.deepEqual([early.status, await jsonOf(early)], [401, { fault: 'Not before noon.' }]);
      await assert.rejects(async () => (await fetch(`${url}/mounted?late`)).text());
      assert.equal((await fetch(`${url}/mounted`)).status, 200);
    },
    {},
    (nest) => {
      nest.useGlobalFilters(new OwnForm());
    },
  ),
};

const shutdown: Readonly<Record<string, (platform: Platform) => Promise<void>>> = {
  'closing ends open answers and streams, and says why': async (platform) => {
    const { nest, url } = await listen(platform, DeskModule);
    const client = await connect(`${url}/mcp`);
    const diary = nest.get(Diary);
    const streamed = post(`${url}/chat`, { message: 'work' }, events).then((response) => response.text());
    await diary.has('begun');
    const plain = post(`${url}/chat`, { message: 'work' });
    while (diary.lines.length < 2) await sleep(5);
    const begin = Date.now();
    await nest.close();
    assert.ok(Date.now() - begin < 8_000);
    assert.match(await streamed, /event: error\ndata: \{"code":"E955"\}\n\n$/);
    assert.deepEqual(
      [(await plain).status, await jsonOf(await plain)],
      [503, { statusCode: 503, message: 'The server is shutting down.', error: 'Service Unavailable' }],
    );
    assert.equal(diary.lines.filter((line) => line === 'stopped').length, 2);
    await client.close();
  },
};

/** Needs packages that only the folders of the cells have. */
const compressed: Readonly<Record<string, (platform: Platform) => Promise<void>>> = {
  'chat: events pass a compressing middleware as they happen': served(
    async ({ nest, url }) => {
      const client = leaving(`${url}/chat`, { ...events, 'accept-encoding': 'gzip' });
      assert.match(await client.first, /event: begun/);
      client.leave();
      await nest.get(Diary).has('stopped');
      const plain = await post(
        `${url}/chat`,
        { message: `say ${'x'.repeat(90)}` },
        { ...ann, 'accept-encoding': 'gzip' },
      );
      assert.equal(plain.headers.get('content-encoding'), 'gzip');
      assert.match(await plain.text(), /said x/);
    },
    {},
    compress,
  ),
};

const checksOf = (platform: Platform, cases: Readonly<Record<string, (platform: Platform) => Promise<void>>>) =>
  Object.entries(cases).map(([title, run]): Check => ({ title: `${platform}: ${title}`, run: () => run(platform) }));

/** Every door on a platform. */
export function doorsOf(platform: Platform): readonly Check[] {
  return checksOf(platform, { ...chat, ...mcp, ...mounted, ...shutdown });
}

/** The checks that need packages which only the folders of the cells have. */
export function compressedDoorsOf(platform: Platform): readonly Check[] {
  return checksOf(platform, compressed);
}
