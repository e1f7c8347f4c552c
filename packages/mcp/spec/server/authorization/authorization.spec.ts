import { createHmac } from 'node:crypto';
import { generateKeyPair } from 'jose';
import { createApplication, Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { ScopePolicy } from 'toolwright/policies';
import { McpClient, type McpAuthorizationOptions, type McpService, serveMcp } from '@toolwright/mcp';
import { FakeIssuer } from '../../support/fakeIssuer';
import { beginSession, closeAll, closing, httpClient, message, post } from '../../support/serverKit';
import { INITIALIZE } from '../../support/serverKit';

const RESOURCE = 'http://127.0.0.1:9/mcp';
const WELL_KNOWN = '/.well-known/oauth-protected-resource/mcp';

afterEach(closeAll);

class OrderParams {
  @Param('Order id') orderId!: string;
}

async function serve(
  authorization: Omit<McpAuthorizationOptions, 'resource'>,
  more: { readonly principal?: () => false; readonly maxRequestsPerPrincipal?: number } = {},
  openPrompt: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly url: string; readonly server: McpService; readonly ran: string[] }> {
  const ran: string[] = [];

  @Section({ title: 'Orders', policies: [new ScopePolicy('orders:read')] })
  class Orders {
    @Tool({ description: 'Fetch one order.' })
    getOrder({ orderId }: OrderParams, context: ToolContext) {
      ran.push('get_order');
      const { principal = '', scopes = '' } = context.runMetadata;
      const subject = McpClient.of(context)?.authInfo?.extra?.['sub'];
      return `${orderId} for ${principal} as ${String(subject)} with ${scopes}`;
    }

    @Tool({ description: 'Cancel an order.', policies: [new ScopePolicy('orders:write')] })
    cancelOrder({ orderId }: OrderParams) {
      ran.push('cancel_order');
      return `Cancelled ${orderId}.`;
    }
  }

  @Prompt({ ns: 'spec', key: 'desk', sections: [Orders] })
  class Desk {}

  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const app = closing(await createApplication({ prompts: [Desk], logger }));
  const promptFor = () => openPrompt().then(() => app.prompt(Desk));
  const server = serveMcp(app, promptFor, {
    http: { ...more, authorization: { resource: RESOURCE, ...authorization } },
  });
  closing(server);
  return { url: await server.listen(), server, ran };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Initializes with a token; returns the status, the challenge and the message of the error. */
async function knock(url: string, headers: Record<string, string>) {
  const response = await post(url, message('initialize', INITIALIZE, 1), headers);
  const text = await response.text();
  const { error } = (text.startsWith('{') ? JSON.parse(text) : {}) as { readonly error?: { readonly message: string } };
  return { status: response.status, challenge: response.headers.get('www-authenticate'), text: error?.message ?? '' };
}

const call = (name: string, id: string | number = 7): string =>
  message('tools/call', { name, arguments: { orderId: 'W1' } }, id);

describe('the metadata of the protected resource', () => {
  test('RFC 9728: the metadata name the resource, its issuer and its scopes, and need no token', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, scopes: ['desk'] });
    const response = await fetch(new URL(WELL_KNOWN, url));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      resource: RESOURCE,
      authorization_servers: [issuer.url],
      scopes_supported: ['desk'],
      bearer_methods_supported: ['header'],
    });
    expect((await fetch(new URL('/.well-known/oauth-protected-resource', url))).status).toBe(404);
    expect((await fetch(new URL(WELL_KNOWN, url), { method: 'POST' })).status).toBe(401);
  });

  test('server.fetch answers the metadata at the same path, and refuses a foreign host', async () => {
    const issuer = await FakeIssuer.start();
    const { server } = await serve({ issuer: issuer.url });
    expect((await server.fetch(new Request(`http://localhost${WELL_KNOWN}`))).status).toBe(200);
    expect((await server.fetch(new Request(`http://evil.example${WELL_KNOWN}`))).status).toBe(403);
  });
});

describe('a request over HTTP', () => {
  test('a valid token opens a session, and its subject, client and scopes reach the handler', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url });
    const token = await issuer.sign({ aud: RESOURCE, scope: 'orders:read other' });
    const client = await httpClient(url, bearer(token));
    const { content } = await client.callTool({ name: 'get_order', arguments: { orderId: 'W1' } });
    expect(content).toEqual([{ type: 'text', text: 'W1 for ["app","ada"] as ada with orders:read other' }]);
  });

  test('a request without a token gets 401, and a challenge with the address of the metadata and the scopes', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, scopes: ['desk', 'mail'] });
    expect(await knock(url, {})).toEqual({
      status: 401,
      challenge: `Bearer scope="desk mail", resource_metadata="http://127.0.0.1:9${WELL_KNOWN}"`,
      text: 'This server needs an access token.',
    });
  });

  test.each<[string, string, (issuer: FakeIssuer) => Promise<string>]>([
    [
      'of another issuer',
      'The token is of another issuer',
      (issuer) => issuer.sign({ aud: RESOURCE, iss: 'https://evil.example' }),
    ],
    [
      'for another audience',
      'The token is for another server',
      (issuer) => issuer.sign({ aud: 'https://other.example/mcp' }),
    ],
    ['without audience', 'The token is for another server', (issuer) => issuer.sign({})],
    ['that has expired', 'The token has expired', (issuer) => issuer.sign({ aud: RESOURCE, exp: nowSeconds() - 31 })],
    ['that never expires', 'The token never expires', (issuer) => issuer.sign({ aud: RESOURCE, exp: undefined })],
    [
      'that is not valid yet',
      'The token is not valid yet',
      (issuer) => issuer.sign({ aud: RESOURCE, nbf: nowSeconds() + 90 }),
    ],
    [
      'without subject and client',
      'The token names neither a subject nor a client',
      (issuer) => issuer.sign({ aud: RESOURCE, sub: undefined, client_id: undefined }),
    ],
    ...[7, { id: 'ada' }, ['ada'], null, ''].map((sub): [string, string, (issuer: FakeIssuer) => Promise<string>] => [
      `with the subject ${JSON.stringify(sub)}`,
      'The subject of the token is not a text, or is empty',
      (issuer) => issuer.sign({ aud: RESOURCE, sub }),
    ]),
    [
      'without subject and with an empty client',
      'The token names neither a subject nor a client',
      (issuer) => issuer.sign({ aud: RESOURCE, sub: undefined, client_id: '' }),
    ],
    ['with an unknown key', 'The issuer has no such key', (issuer) => issuer.sign({ aud: RESOURCE }, { kid: 'k2' })],
    [
      'signed with another key',
      'The signature of the token is wrong',
      async (issuer) => issuer.sign({ aud: RESOURCE }, { key: (await generateKeyPair('ES256')).privateKey }),
    ],
    [
      'without a signature',
      'The algorithm of the token is not accepted',
      async (issuer) => writeUnsignedToken({ alg: 'none' }, await issuer.sign({ aud: RESOURCE })),
    ],
    [
      'signed with the published key as a secret',
      'The algorithm of the token is not accepted',
      async (issuer) => signedWithPublicKey(issuer, await issuer.sign({ aud: RESOURCE })),
    ],
    ['that is no JWT', 'The token is not a JWT', () => Promise.resolve('abc')],
  ])('a token %s gets 401, and nothing runs', async (_name, fault, sign) => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url });
    expect(await knock(url, bearer(await sign(issuer)))).toEqual({
      status: 401,
      challenge: `Bearer error="invalid_token", error_description="${fault}", resource_metadata="http://127.0.0.1:9${WELL_KNOWN}"`,
      text: `The server does not accept this token. ${fault}.`,
    });
  });

  test.each([
    ['Basic credentials', 'Basic YTpi'],
    ['two tokens', 'Bearer a, Bearer b'],
    ['an empty token', 'Bearer '],
    ['a token of 17 kB', `Bearer ${'a'.repeat(17_000)}`],
  ])('a header with %s gets 401, and the issuer is not asked', async (_name, authorization) => {
    const issuer = await FakeIssuer.start();
    const { server } = await serve({ issuer: issuer.url });
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: { authorization }, body: '{}' });
    const response = await server.fetch(request);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error_description="The header is not a Bearer token"');
    expect(issuer.asked).toEqual([]);
  });

  test('a token within the tolerance of clocks is accepted', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, clockToleranceSeconds: 600 });
    expect((await knock(url, bearer(await issuer.sign({ aud: RESOURCE, exp: nowSeconds() - 500 })))).status).toBe(200);
  });

  test('only the listed algorithms are accepted', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, algorithms: ['RS256'] });
    const { status, text } = await knock(url, bearer(await issuer.sign({ aud: RESOURCE })));
    expect([status, text]).toEqual([401, expect.stringContaining('algorithm')]);
  });

  test('an audience of its own replaces the resource', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, audience: 'api://desk' });
    expect((await knock(url, bearer(await issuer.sign({ aud: ['x', 'api://desk'] })))).status).toBe(200);
    expect((await knock(url, bearer(await issuer.sign({ aud: RESOURCE })))).status).toBe(401);
  });

  test('the session of a user is missing for another user, also with a valid token', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url });
    const ada = bearer(await issuer.sign({ aud: RESOURCE }));
    const session = { 'mcp-session-id': await beginSession(url, ada) };
    const listed = (headers: Record<string, string>) =>
      post(url, message('tools/list', {}, 2), { ...session, ...headers });
    expect((await listed(bearer(await issuer.sign({ aud: RESOURCE, sub: 'eve' })))).status).toBe(404);
    expect((await listed({})).status).toBe(401);
    // A new token of the same user and client continues the session.
    expect((await listed(bearer(await issuer.sign({ aud: RESOURCE, jti: '2' })))).status).toBe(200);
  });

  test('a token that the host refuses gets the challenge, too', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url }, { principal: () => false });
    const { status, challenge } = await knock(url, bearer(await issuer.sign({ aud: RESOURCE })));
    expect([status, challenge]).toEqual([401, expect.stringContaining('resource_metadata=')]);
  });
});

describe('scopes', () => {
  test('E927: a token without a scope of the server gets 403, with the granted and the missing scopes', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, scopes: ['desk'] });
    expect(await knock(url, bearer(await issuer.sign({ aud: RESOURCE, scp: ['mail'] })))).toEqual({
      status: 403,
      challenge: `Bearer error="insufficient_scope", error_description="The token lacks a scope", scope="mail desk", resource_metadata="http://127.0.0.1:9${WELL_KNOWN}"`,
      text: 'The token lacks the scope desk.',
    });
  });

  test.each([
    ['a newline', 'a\nb'],
    ['a character beyond ASCII', '€'],
    ['a quote', 'a",realm="evil'],
    ['a backslash', 'a\\'],
  ])('E927: a granted scope with %s is left out of the challenge', async (_name, scope) => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, scopes: ['desk'] });
    const token = await issuer.sign({ aud: RESOURCE, scope: `mail ${scope}` });
    expect(await knock(url, bearer(token))).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('scope="mail desk", resource_metadata=') as string,
    });
  });

  test('E927: a call without the scopes of its tool and section gets 403 and does not run; with them it runs in the same session', async () => {
    const issuer = await FakeIssuer.start();
    const { url, ran } = await serve({ issuer: issuer.url });
    const reader = bearer(await issuer.sign({ aud: RESOURCE, scope: 'orders:read' }));
    const session = { 'mcp-session-id': await beginSession(url, reader) };
    const refused = await post(url, call('cancel_order'), { ...session, ...reader });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="orders:read orders:write"');
    expect(await refused.json()).toMatchObject({
      id: 7,
      error: { message: 'The token lacks the scope orders:write.', data: { code: 'E927' } },
    });
    expect(ran).toEqual([]);
    const writer = bearer(await issuer.sign({ aud: RESOURCE, scope: 'orders:read orders:write' }));
    const done = await post(url, call('cancel_order'), { ...session, ...writer });
    expect(await done.text()).toContain('Cancelled W1.');
    expect(ran).toEqual(['cancel_order']);
  });

  test('E927: a request of a revision without sessions is refused in the same way, and runs with the scope', async () => {
    const issuer = await FakeIssuer.start();
    const { url, ran } = await serve({ issuer: issuer.url });
    const reader = bearer(await issuer.sign({ aud: RESOURCE, scope: 'orders:read' }));
    const writer = bearer(await issuer.sign({ aud: RESOURCE, scope: 'orders:read orders:write' }));
    expect((await postStateless(url, 'cancel_order', {})).status).toBe(401);
    const refused = await postStateless(url, 'cancel_order', reader);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="orders:read orders:write"');
    expect(ran).toEqual([]);
    const done = await postStateless(url, 'cancel_order', writer);
    expect(await done.text()).toContain('Cancelled W1.');
    const read = await postStateless(url, 'get_order', reader);
    expect(await read.text()).toContain('as ada with orders:read');
  });

  test('E695: a call counts as open while its prompt is opened for the check of its scopes', async () => {
    const issuer = await FakeIssuer.start();
    const release: (() => void)[] = [];
    const openPrompt = () => new Promise<void>((resolve) => release.push(resolve));
    const { url } = await serve({ issuer: issuer.url }, { maxRequestsPerPrincipal: 1 }, openPrompt);
    const reader = bearer(await issuer.sign({ aud: RESOURCE, scope: 'orders:read' }));
    const first = postStateless(url, 'cancel_order', reader);
    while (release.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await postStateless(url, 'cancel_order', reader);
    expect(second.status).toBe(429);
    expect(await second.json()).toMatchObject({ error: { data: { code: 'E695' } } });
    release[0]?.();
    expect((await first).status).toBe(403);
  });

  test('a batch with one call that lacks its scope runs none of its calls', async () => {
    const issuer = await FakeIssuer.start();
    const { url, ran } = await serve({ issuer: issuer.url });
    const reader = bearer(await issuer.sign({ aud: RESOURCE, scope: 'orders:read' }));
    const session = { 'mcp-session-id': await beginSession(url, reader), 'mcp-protocol-version': '2025-03-26' };
    const batch = `[${call('get_order', 2)},${call('cancel_order', 3)}]`;
    expect((await post(url, batch, { ...session, ...reader })).status).toBe(403);
    expect(ran).toEqual([]);
  });
});

describe('the keys of the issuer', () => {
  test('an issuer with a path is found behind the well-known path, and asked once', async () => {
    const issuer = await FakeIssuer.start('/tenant');
    const { url } = await serve({ issuer: issuer.url });
    for (const jti of ['1', '2', '3'])
      expect((await knock(url, bearer(await issuer.sign({ aud: RESOURCE, jti })))).status).toBe(200);
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server/tenant', '/jwks']);
  });

  test('keys that are given are used without asking the issuer', async () => {
    const issuer = await FakeIssuer.start();
    const { url } = await serve({ issuer: issuer.url, jwks: { keys: issuer.published.keys } });
    expect((await knock(url, bearer(await issuer.sign({ aud: RESOURCE })))).status).toBe(200);
    expect(issuer.asked).toEqual([]);
  });

  test('E926: metadata of another issuer are not believed', async () => {
    const issuer = await FakeIssuer.start();
    issuer.published.metadata = { ...issuer.published.metadata, issuer: 'https://evil.example' };
    const { url } = await serve({ issuer: issuer.url });
    expect((await knock(url, bearer(await issuer.sign({ aud: RESOURCE })))).status).toBe(503);
  });

  test('E926: while the issuer cannot be reached, requests get 503; they pass as soon as it can', async () => {
    const issuer = await FakeIssuer.start();
    const { metadata } = issuer.published;
    issuer.published.metadata = undefined;
    const { url } = await serve({ issuer: issuer.url });
    const token = bearer(await issuer.sign({ aud: RESOURCE }));
    expect(await knock(url, token)).toMatchObject({ status: 503, challenge: null });
    issuer.published.metadata = metadata;
    expect((await knock(url, token)).status).toBe(200);
  });
});

describe('the options', () => {
  const valid = { issuer: 'https://login.example', resource: 'https://desk.example/mcp' };

  test.each<[string, string, object]>([
    ['an issuer over http', 'issuer', { issuer: 'http://login.example' }],
    ['an issuer that is no URL', 'issuer', { issuer: 'login' }],
    ['a resource with a fragment', 'resource', { resource: 'https://desk.example/mcp#x' }],
    ['no resource', 'resource', { resource: undefined }],
    ['keys over http', 'jwks', { jwks: 'http://login.example/keys' }],
    ['an empty audience', 'audience', { audience: '' }],
    ['a symmetric algorithm', 'algorithms', { algorithms: ['HS256'] }],
    ['no algorithm', 'algorithms', { algorithms: ['none'] }],
    ['a negative tolerance', 'clockToleranceSeconds', { clockToleranceSeconds: -1 }],
  ])('E691: serveMcp refuses %s', async (_name, place, wrong) => {
    const authorization = { ...valid, ...wrong };
    await expect(serve(authorization)).rejects.toMatchObject({
      code: 'E691',
      place: `serveMcp http.authorization.${place}`,
    });
  });

  test('E713: serveMcp refuses a scope with a space', async () => {
    await expect(serve({ ...valid, scopes: ['a b'] })).rejects.toMatchObject({ code: 'E713' });
  });

  test('E413: serveMcp refuses an unknown option', async () => {
    const authorization = { ...valid, scope: 'a' };
    await expect(serve(authorization)).rejects.toMatchObject({ code: 'E413' });
  });
});

/** Calls a tool in the revision 2026-07-28. */
function postStateless(url: string, name: string, headers: Record<string, string>): Promise<Response> {
  const version = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = message('tools/call', { name, arguments: { orderId: 'W1' }, _meta }, 1);
  const own = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name };
  return post(url, body, { ...own, ...headers });
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function writeUnsignedToken(header: object, token: string): string {
  return `${encode(header)}.${token.split('.')[1] ?? ''}.`;
}

/** A token whose signature is an HMAC with the public key, which everybody knows. */
function signedWithPublicKey({ published }: FakeIssuer, token: string): string {
  const content = `${encode({ alg: 'HS256', kid: 'k1' })}.${token.split('.')[1] ?? ''}`;
  const signature = createHmac('sha256', JSON.stringify(published.keys[0])).update(content).digest('base64url');
  return `${content}.${signature}`;
}
