// The required behaviour of the application and its agent, on any platform of Nest.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { INestApplication } from '@nestjs/common';
import { Toolwright } from '@toolwright/nestjs';
import { AuthService } from './app/auth/auth.service.js';
import { Editor } from './agent/desk.js';

/** Tells the whole story to an application that listens; reports each step to `tell`. */
export async function runStory(nest: INestApplication, url: string, tell: (line: string) => void): Promise<void> {
  const auth = nest.get(AuthService, { strict: false });
  const as = (user: string) => userOf(url, auth.sign(user));
  await asBefore(url, as);
  await byChat(as, tell);
  await afterApproval(as, tell);
  await overMcp(url, auth, tell);
  await withoutHttp(nest, auth, tell);
}

type User = ReturnType<typeof userOf>;

/** Returns a client of the application, signed in. */
function userOf(url: string, token: string) {
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; json: unknown }> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  const ask = async (message: string): Promise<string> => {
    const { json } = await send('POST', '/chat', { message });
    return (json as { text: string }).text;
  };
  return { send, ask };
}

/** Checks that the agent changes nothing of the application: its routes, errors and guard work as before. */
async function asBefore(url: string, as: (user: string) => User): Promise<void> {
  assert.deepEqual(await (await fetch(`${url}/articles`)).text(), '[]');
  const refused = await fetch(`${url}/user`);
  assert.equal(refused.status, 401);
  assert.equal(await refused.text(), '{"errors":{"body":["Send a bearer token."]}}');
  const me = await as('ann').send('GET', '/user');
  assert.deepEqual(me.json, { id: 1, username: 'ann', email: 'ann@example.com', bio: '' });
  assert.equal((await as('ann').send('GET', '/articles/none')).status, 404);
  assert.equal((await as('ann').send('POST', '/articles', { title: '' })).status, 400);
}

async function byChat(as: (user: string) => User, tell: (line: string) => void): Promise<void> {
  tell('--- By chat ---');
  const said = async (user: string, message: string): Promise<string> => {
    const text = await as(user).ask(message);
    tell(`${user}: ${message}\n  ${text}`);
    return text;
  };
  assert.match(await said('ann', 'Who am I?'), /"username":"ann"/);
  assert.doesNotMatch(await as('ann').ask('Who am I?'), /secret/);
  assert.match(await said('ann', 'Write about Nest.'), /"author":"ann"/);
  assert.match(await said('ann', 'Write about Nest.'), /There is an article nest-and-tools/);
  assert.match(await said('ann', 'Write without a title.'), /not accepted/);
  assert.match(await said('ann', 'What is there about Nest?'), /by ann/);
  assert.match(await said('bob', 'Improve the text.'), /Only its author/);
  assert.match(await said('ann', 'Improve the text.'), /"body":"Thus\."/);
  assert.match(await said('bob', 'Comment and like it.'), /"favoritesCount":1/);
  assert.match(await said('bob', 'Follow ann.'), /"following":true/);
  assert.match(await said('bob', 'Follow me.'), /cannot follow yourself/);
  assert.match(await said('bob', 'Say who I am.'), /"bio":"I write\."/);
  // The routes see the agent's changes.
  const { json } = await as('bob').send('GET', '/articles/nest-and-tools/comments');
  assert.deepEqual(json, [{ id: 1, author: 'bob', body: 'Good.' }]);
}

async function afterApproval(as: (user: string) => User, tell: (line: string) => void): Promise<void> {
  tell('--- After an approval ---');
  for (const approved of [false, true]) {
    const answer = as('ann').ask('Delete it.');
    let waiting: { id: string; tool: string }[] = [];
    while (waiting.length === 0) {
      await sleep(5);
      waiting = (await as('ann').send('GET', '/approvals')).json as typeof waiting;
    }
    const { id, tool } = waiting[0]!;
    assert.equal((await as('bob').send('POST', `/approvals/${id}`, { approved })).status, 404);
    await as('ann').send('POST', `/approvals/${id}`, { approved });
    tell(`ann says ${approved ? 'yes' : 'no'} to ${tool}\n  ${await answer}`);
  }
  assert.equal((await as('ann').send('GET', '/articles/nest-and-tools')).status, 404);
}

async function overMcp(url: string, auth: AuthService, tell: (line: string) => void): Promise<void> {
  tell('--- Over MCP ---');
  const client = new Client({ name: 'sample', version: '1.0.0' });
  const headers = { authorization: `Bearer ${auth.sign('bob')}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    return (content as readonly { text: string }[])[0]!.text;
  };
  const { tools } = await client.listTools();
  tell(tools.map(({ name }) => name).join(', '));
  // The DTO of the application, made optional by PartialType, beside a slug.
  const { properties, required } = tools.find(({ name }) => name === 'update_article')!.inputSchema;
  assert.deepEqual(Object.keys(properties ?? {}).sort(), ['body', 'description', 'slug', 'tagList', 'title']);
  assert.equal(String(required), 'slug');
  assert.match(await call('who_am_i'), /"bio":"I write\."/);
  assert.match(await call('create_article', { title: 'By MCP', description: 'How', body: 'So.' }), /"author":"bob"/);
  assert.match(await call('read_article', { slug: 'none' }), /There is no article none/);
  await client.close();
}

/** Shows how a test calls a tool with a request, without HTTP. */
async function withoutHttp(nest: INestApplication, auth: AuthService, tell: (line: string) => void): Promise<void> {
  tell('--- Without HTTP ---');
  const toolwright = nest.get(Toolwright);
  const rendered = await toolwright.app.prompt(Editor).render();
  const request = { headers: { authorization: `Bearer ${auth.sign('ann')}` } };
  const outcome = await toolwright.withRequest(request, (runMetadata) =>
    toolwright.app.invoke(rendered, 'update_article', { slug: 'by-mcp', body: 'Mine.' }, { runMetadata }),
  );
  assert.equal(outcome.result.success, false);
  tell(outcome.text.split('\n')[0] ?? '');
  // The guard of the application refuses a call without a user, before the handler runs.
  const stranger = await toolwright.withRequest({ headers: {} }, (runMetadata) =>
    toolwright.app.invoke(rendered, 'read_article', { slug: 'by-mcp' }, { runMetadata }),
  );
  assert.match(stranger.text, /Send a bearer token/);
}
