// An MCP server that only serves clients with a token of its authorization server, and a client that gets one.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { auth, Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { createApplication } from 'toolwright';
import { serveMcp } from '@toolwright/mcp';
import { Ada } from './Ada.js';
import { listenLocally, startAuthorizationServer } from './authorizationServer.js';
import { Desk } from './Desk.js';

/** Serves the desk for tokens of an issuer. The metadata of the resource are at a second path of the same handler. */
async function serveDesk(issuer: string) {
  const app = await createApplication({ prompts: [Desk] });
  const web = createServer((request, response) => void server.handler(request, response));
  const resource = `${await listenLocally(web)}/mcp`;
  const server = serveMcp(app, app.prompt(Desk), {
    http: {
      authorization: { issuer, resource, scopes: ['orders:read'], clockToleranceSeconds: 0 },
      principal: ({ authInfo }) => authInfo?.extra?.['sub'] as string | undefined,
    },
  });
  const close = async (): Promise<void> => {
    await server.close();
    web.close().closeAllConnections();
    await app.close();
  };
  return { url: new URL(resource), close };
}

const textOf = ({ content }: { readonly content: readonly object[] }): string =>
  (content[0] as { readonly text: string }).text;

/** Does what a client does: tries, lets the user sign in if the server asks for it, and tries again. */
async function withSignIn<T>(
  ada: Ada,
  transport: () => StreamableHTTPClientTransport,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport().finishAuth(ada.answer);
    return attempt();
  }
}

async function callTools(url: URL): Promise<void> {
  console.log('--- A client signs in ---');
  const ada = new Ada();
  const client = new Client({ name: 'sample', version: '1.0.0' });
  let transport = new StreamableHTTPClientTransport(url, { authProvider: ada });
  await withSignIn(
    ada,
    () => transport,
    () => {
      transport = new StreamableHTTPClientTransport(url, { authProvider: ada });
      return client.connect(transport);
    },
  );
  const call = (name: string) => client.callTool({ name, arguments: { orderId: '#W1' } });
  console.log(textOf(await call('get_order')));
  // The server answers 403, and the client asks for the missing scope in addition to those that it has.
  console.log(
    textOf(
      await withSignIn(
        ada,
        () => transport,
        () => call('cancel_order'),
      ),
    ),
  );
  console.log(`Ada was asked for: ${ada.askedFor.join(', then ')}`);
  await client.close();
}

/** Gets a token of an authorization server for a resource, without asking that resource. */
async function tokenOf(serverUrl: string, resource: URL, scope: string): Promise<string> {
  const ada = Object.assign(new Ada(), { validateResourceURL: () => Promise.resolve(resource) });
  await auth(ada, { serverUrl, scope });
  const { code, iss } = Object.fromEntries(ada.answer);
  await auth(ada, { serverUrl, scope, authorizationCode: code ?? '', ...(iss === undefined ? {} : { iss }) });
  return ada.accessToken;
}

/** Begins a session with a token, and prints the answer of the server, which must have the status. */
async function present(url: URL, name: string, status: number, token: string): Promise<void> {
  const clientInfo = { name: 'sample', version: '1.0.0' };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    }),
  });
  assert.equal(response.status, status);
  const challenge = response.headers.get('www-authenticate') ?? '';
  await response.body?.cancel();
  const description = /error_description="([^"]*)"/.exec(challenge)?.[1] ?? 'welcome';
  console.log(`${name}: ${String(status)} ${description}`);
}

async function refuseTokens(url: URL, issuer: string): Promise<void> {
  console.log('--- Tokens that the server refuses ---');
  const other = await startAuthorizationServer();
  const brief = await startAuthorizationServer(1);
  await present(url, 'of another issuer', 401, await tokenOf(other.issuer, url, 'orders:read'));
  await present(url, 'for another server', 401, await tokenOf(issuer, new URL('/other', url), 'orders:read'));
  await present(url, 'without the scope', 403, await tokenOf(issuer, url, 'orders:write'));
  await present(url, 'of its issuer', 200, await tokenOf(issuer, url, 'orders:read'));
  other.close();
  const briefDesk = await serveDesk(brief.issuer);
  const token = await tokenOf(brief.issuer, briefDesk.url, 'orders:read');
  await sleep(2_000);
  await present(briefDesk.url, 'after its time', 401, token);
  await briefDesk.close();
  brief.close();
}

async function main(): Promise<void> {
  const login = await startAuthorizationServer();
  const desk = await serveDesk(login.issuer);
  await callTools(desk.url);
  await refuseTokens(desk.url, login.issuer);
  await desk.close();
  login.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
