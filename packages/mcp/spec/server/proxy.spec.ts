import { createServer, request as httpRequest } from 'node:http';
import { createApplication, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { type McpServerOptions, serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../spec/support/silent';
import { FakeIssuer } from '../support/fakeIssuer';
import {
  beginSession,
  closeAll,
  closing,
  httpClient,
  INITIALIZE,
  listenOnLoopback,
  message,
  post,
} from '../support/serverKit';
import { stateless, STATELESS } from '../support/statelessKit';

afterEach(closeAll);

const PUBLIC = 'mcp.example.com';
let finish: () => void = () => {};

@Section({ title: 'Desk', template: 'A desk.' })
class DeskSection {
  @Tool('Greet.') greet() {
    return 'Hello.';
  }
  @Tool('Pack.') async pack(context: ToolContext) {
    context.reportProgress({ fraction: 0.5 });
    await new Promise<void>((resolve) => (finish = resolve));
    return 'Packed.';
  }
}

@Prompt({ ns: 'test', key: 'desk', sections: [DeskSection] })
class Desk {}

interface ProxyOptions {
  /** The header `Host` that the server gets: the public name, or the address of the server. */
  readonly host: 'public' | 'upstream';
  /** How the path changes on the way. */
  readonly rewrite?: (path: string) => string;
}

/** Serves the desk at /mcp, and a reverse proxy in front of it. Returns the URL of the proxy. */
async function serveBehindProxy(http: McpServerOptions['http'], { host, rewrite = (path) => path }: ProxyOptions) {
  const app = closing(await createApplication({ prompts: [Desk], logger: silent }));
  const server = closing(serveMcp(app, app.prompt(Desk), { http }));
  const upstream = new URL(await server.listen());
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, host: host === 'public' ? PUBLIC : upstream.host };
    const { hostname, port } = upstream;
    const options = { hostname, port, path: rewrite(request.url ?? ''), method: request.method, headers };
    const forwarded = httpRequest(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  return listenOnLoopback(proxy);
}

const initialize = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  post(url, message('initialize', INITIALIZE, 1), headers);

test('behind a proxy that passes the public name on, the name has to be in allowedHosts', async () => {
  const refused = await serveBehindProxy({}, { host: 'public' });
  expect((await initialize(`${refused}mcp`)).status).toBe(403);

  const url = await serveBehindProxy({ allowedHosts: [PUBLIC] }, { host: 'public' });
  const client = await httpClient(`${url}mcp`);
  expect((await client.callTool({ name: 'greet', arguments: {} })).content).toEqual([{ type: 'text', text: 'Hello.' }]);
  expect((await initialize(`${url}mcp`, { origin: `https://${PUBLIC}` })).status).toBe(200);
});

test('behind a proxy that replaces the host, pages of the public name have to be in allowedOrigins', async () => {
  const origin = { origin: `https://${PUBLIC}` };
  const url = await serveBehindProxy({}, { host: 'upstream' });
  expect((await initialize(`${url}mcp`)).status).toBe(200);
  expect((await initialize(`${url}mcp`, origin)).status).toBe(403);

  const open = await serveBehindProxy({ allowedOrigins: [`https://${PUBLIC}`] }, { host: 'upstream' });
  expect((await initialize(`${open}mcp`, origin)).status).toBe(200);
});

test('a proxy may serve the server under another path', async () => {
  const rewrite = (path: string) => path.replace('/tools/', '/');
  const url = await serveBehindProxy({ allowedHosts: [PUBLIC] }, { host: 'public', rewrite });
  const client = await httpClient(`${url}tools/mcp`);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet', 'pack']);
});

test('behind a proxy, clients find the metadata of OAuth at the path of the public URL, which the proxy does not change', async () => {
  const issuer = await FakeIssuer.start();
  const http = {
    allowedHosts: [PUBLIC],
    authorization: { issuer: issuer.url, resource: `https://${PUBLIC}/tools/mcp`, scopes: ['orders:read'] },
  };
  const rewrite = (path: string) => (path.startsWith('/tools/') ? path.replace('/tools/', '/') : path);
  const url = await serveBehindProxy(http, { host: 'public', rewrite });

  const refused = await initialize(`${url}tools/mcp`);
  expect(refused.status).toBe(401);
  const path = '/.well-known/oauth-protected-resource/tools/mcp';
  expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="https://${PUBLIC}${path}"`);
  const metadata = await fetch(new URL(path, url));
  expect(await metadata.json()).toMatchObject({
    resource: `https://${PUBLIC}/tools/mcp`,
    authorization_servers: [issuer.url],
  });
});

const pack = { name: 'pack', arguments: {}, _meta: { progressToken: 'packing' } };

test.each([
  [
    '2025-11-25',
    async (url: string) => {
      const headers = { 'mcp-session-id': await beginSession(url) };
      return post(url, message('tools/call', pack, 2), headers);
    },
  ],
  [STATELESS, (url: string) => fetch(url, { method: 'POST', ...stateless('tools/call', { params: pack }) })],
])('progress of %s reaches a client through a proxy before the call ends', async (_version, call) => {
  const url = await serveBehindProxy({ allowedHosts: [PUBLIC] }, { host: 'public' });
  const response = await call(`${url}mcp`);
  // nginx buffers streams without this header.
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  // Hangs if the server, or the proxy, kept the event back until the call has ended.
  while (!read.includes('notifications/progress')) read += (await reader.read()).value ?? '';
  expect(read).not.toContain('Packed.');
  finish();
  for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value;
  expect(read).toContain('Packed.');
});
