import 'reflect-metadata';
import { createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { chatHandler, type ChatOptions } from '@toolwright/ui';
import { silent } from '../../../spec/support/silent.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

@Section({ title: 'Refunds' })
class Refunds {
  @Tool({ description: 'Refunds an amount.', requiresApproval: true, preview: () => 'Would refund.' })
  refund(@Param('amount', 'The amount.') amount: number): string {
    return `Refunded ${String(amount)}.`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Refunds] })
class Desk {}

interface Serving {
  readonly script?: readonly ScriptStep[];
  readonly options?: Partial<ChatOptions>;
}

/** Serves a chat in memory, and returns a function that calls it as a user. */
async function serve({ script = [{ text: 'Hello.' }], options = {} }: Serving = {}) {
  const app = await createApplication({
    prompts: [Desk],
    logger: silent,
    approver: { approve: () => ({ kind: 'later' }) },
  });
  const adapter = new ScriptedModel(script, { by: 'position' });
  const handler = chatHandler(
    { app, prepare: () => ({ prompt: Desk, adapter }) },
    {
      authenticate: (request) => {
        const id = request.headers.get('x-user');
        return id === null ? null : { id };
      },
      ...options,
    },
  );
  const call = (
    method: string,
    path: string,
    {
      body,
      user = 'ann',
      headers = {},
    }: { body?: unknown; user?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    handler(
      new Request(`http://shop.test${path}`, {
        method,
        headers: {
          host: 'shop.test',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(user === null ? {} : { 'x-user': user }),
          ...headers,
        },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  const close = async (): Promise<void> => {
    await handler.close();
    await app.close();
  };
  return { close, call, post: (body: unknown, rest = {}) => call('POST', '/api/chat', { body, ...rest }) };
}

const message = (text: string, id = 'm-1') => ({ id, role: 'user', parts: [{ type: 'text', text }] });
const send = (text: string, id = 'm-1') => ({ id: 'c-1', messages: [message(text, id)] });

interface Chunk {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Reads the chunks of a stream, without its mark of the end. */
async function chunksOf(response: Response): Promise<readonly Chunk[]> {
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: '));
  expect(lines.at(-1)).toBe('data: [DONE]');
  return lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)) as Chunk);
}

const file = (mediaType: string, data: string) => ({
  id: 'c-1',
  messages: [
    { id: 'm-1', role: 'user', parts: [{ type: 'file', mediaType, url: `data:${mediaType};base64,${data}` }] },
  ],
});

test.each<[string, unknown, number, RegExp]>([
  ['is no JSON', '{', 400, /not valid JSON/],
  ['is a list', [], 400, /a JSON object/],
  ['has no chat', { messages: [message('Hi')] }, 400, /The id of the chat/],
  ['names a chat with a slash', { id: 'a/b', messages: [message('Hi')] }, 400, /without slashes/],
  ['names the route of questions', { id: 'questions', messages: [message('Hi')] }, 400, /is not possible/],
  ['has no message', { id: 'c-1' }, 400, /has no message/],
  ['has a message of a system', { id: 'c-1', messages: [{ ...message('Hi'), role: 'system' }] }, 400, /of the user/],
  ['has another trigger', { ...send('Hi'), trigger: 'delete' }, 400, /trigger/],
  ['has an empty message', send(' '), 400, /empty/],
  ['has a message without an id', { id: 'c-1', messages: [{ role: 'user', parts: [] }] }, 400, /The id of the message/],
  [
    'has a part of a tool',
    { id: 'c-1', messages: [{ ...message(''), parts: [{ type: 'tool-x' }] }] },
    400,
    /text and file/,
  ],
  ['has a part that is no object', { id: 'c-1', messages: [{ ...message(''), parts: ['Hi'] }] }, 400, /an object/],
  [
    'has too many parts',
    { id: 'c-1', messages: [{ ...message(''), parts: Array(101).fill({ type: 'text', text: '' }) }] },
    413,
    /100/,
  ],
  ['has a text of a million characters', send('x'.repeat(1_000_000)), 413, /200000 characters/],
  [
    'has a file of an address',
    { id: 'c-1', messages: [{ ...message(''), parts: [{ type: 'file', url: 'http://169.254.169.254/' }] }] },
    400,
    /data URL/,
  ],
  ['has a file of another type than it says', file('image/jpeg', PIXEL), 400, /not of the type image\/jpeg/],
  ['has a program as a file', file('application/x-msdownload', 'TVo='), 415, /accepted/],
  ['has a damaged file', file('image/png', '***='), 400, /damaged/],
  [
    'has a file with zero bytes as text',
    file('text/plain', Buffer.from('a\u0000b').toString('base64')),
    400,
    /text\/plain/,
  ],
])('a body that %s is refused', async (_case, body, status, text) => {
  const { close, post, call } = await serve();
  const response = await post(body);
  expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(text)]);
  expect(await (await call('GET', '/api/chat')).json()).toEqual({ chats: [] });
  await close();
});

test.each<[string, string, string, object, number]>([
  ['without a user', 'GET', '/api/chat', { user: null }, 401],
  [
    'of a page of another site',
    'POST',
    '/api/chat',
    { body: send('Hi'), headers: { origin: 'https://evil.test' } },
    403,
  ],
  ['of a cross-site form', 'POST', '/api/chat', { body: send('Hi'), headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  [
    'with a form as its body',
    'POST',
    '/api/chat',
    { body: send('Hi'), headers: { 'content-type': 'text/plain' } },
    415,
  ],
  ['to another path', 'GET', '/api/chats', {}, 404],
  ['to a longer path', 'GET', '/api/chat/c-1/stream/more', {}, 404],
  ['for a chat that is unknown', 'GET', '/api/chat/c-9', {}, 404],
  ['to stop a chat that is unknown', 'POST', '/api/chat/c-9/stop', {}, 404],
  ['to rename a chat without a title', 'PATCH', '/api/chat/c-9', { body: {} }, 400],
  ['for a question that is unknown', 'GET', '/api/chat/questions/q-9', {}, 404],
  ['to answer a question that is unknown', 'POST', '/api/chat/questions/q-9', { body: { approved: true } }, 404],
  ['with a method that is not possible', 'PUT', '/api/chat', { body: {} }, 405],
  ['with a damaged address', 'GET', '/api/chat/%E0%A4%A', {}, 400],
  ['for a page that is no number', 'GET', '/api/chat?before=x', {}, 400],
])('a request %s is refused', async (_case, method, path, options, status) => {
  const { close, call } = await serve();
  expect((await call(method, path, options)).status).toBe(status);
  await close();
});

test('a page of an allowed origin may read, and its browser is told so', async () => {
  const { close, call } = await serve({ options: { origins: ['https://app.test'] } });
  const headers = { origin: 'https://app.test' };
  const asked = await call('OPTIONS', '/api/chat', { headers, user: null });
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.test']);
  const refused = await call('GET', '/api/chat', { headers, user: null });
  expect([refused.status, refused.headers.get('access-control-allow-credentials')]).toEqual([401, 'true']);
  const foreign = await call('OPTIONS', '/api/chat', { headers: { origin: 'https://evil.test' }, user: null });
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  await close();
});

test('the response of a limiter is sent as it is', async () => {
  const limited = () => new Response('Slow down.', { status: 429, headers: { 'retry-after': '3' } });
  const { close, post } = await serve({ options: { authenticate: limited } });
  const response = await post(send('Hi'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
  await close();
});

test('a message sent twice is answered once', async () => {
  const { close, call, post } = await serve();
  const [first, second] = [await chunksOf(await post(send('Hi'))), await chunksOf(await post(send('Hi')))];
  expect(second.map(({ type }) => type)).toEqual([
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'finish',
  ]);
  expect(second[0]).toEqual(first[0]);
  const { messages } = (await (await call('GET', '/api/chat/c-1')).json()) as { readonly messages: readonly unknown[] };
  expect(messages).toHaveLength(2);
  await close();
});

interface Asked {
  readonly questions: readonly { readonly question: string; readonly tool: string }[];
}

const refund: ScriptStep = { toolCalls: [{ name: 'refund', arguments: { amount: 40 } }] };

test('a question is listed with the change of its call, and answered once', async () => {
  const { close, call, post } = await serve({ script: [refund, { text: 'Done.' }] });
  const chunks = await chunksOf(await post(send('Refund.')));
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'tool-calls' });
  const { questions } = (await (await call('GET', '/api/chat/questions?tool=refund')).json()) as Asked;
  expect(questions).toEqual([expect.objectContaining({ tool: 'refund', arguments: { amount: 40 } })]);
  const path = `/api/chat/questions/${questions[0]!.question}`;
  expect(await (await call('GET', path)).json()).toMatchObject({ effect: { text: 'Would refund.', succeeds: true } });
  expect((await call('GET', path, { user: 'bob' })).status).toBe(404);
  expect((await call('POST', path, { body: { approved: true }, user: 'bob' })).status).toBe(404);
  expect((await call('POST', path, { body: {} })).status).toBe(400);
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => call('POST', path, { body: { approved: true } })),
  );
  expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
  const rest = await chunksOf(await call('GET', '/api/chat/c-1/stream'));
  expect(rest).toContainEqual(expect.objectContaining({ type: 'tool-output-available', output: 'Refunded 40.' }));
  await close();
});

test('a supervisor sees and answers questions of others', async () => {
  const mayAnswer = ({ id }: { readonly id: string }): boolean => id === 'sue';
  const { close, call, post } = await serve({ script: [refund, { text: 'Done.' }], options: { mayAnswer } });
  await chunksOf(await post(send('Refund.')));
  expect(await (await call('GET', '/api/chat/questions')).json()).toEqual({ questions: [] });
  const { questions } = (await (await call('GET', '/api/chat/questions', { user: 'sue' })).json()) as Asked;
  const path = `/api/chat/questions/${questions[0]!.question}`;
  expect((await call('POST', path, { body: { approved: true } })).status).toBe(404);
  expect((await call('POST', path, { body: { approved: true }, user: 'sue' })).status).toBe(204);
  await close();
});

test('a user who may not answer cannot approve through the message either', async () => {
  const mayAnswer = (): boolean => false;
  const { close, call, post } = await serve({ script: [refund, { text: 'Done.' }], options: { mayAnswer } });
  const chunks = await chunksOf(await post(send('Refund.')));
  const { approvalId: id } = chunks.find(({ type }) => type === 'tool-approval-request')!;
  const parts = [{ type: 'dynamic-tool', state: 'approval-responded', approval: { id, approved: true } }];
  const answer = { id: 'c-1', messages: [{ id: chunks[0]!['messageId'], role: 'assistant', parts }] };
  expect((await post(answer)).status).toBe(403);
  expect(JSON.stringify(await (await call('GET', '/api/chat/c-1')).json())).not.toContain('Refunded');
  await close();
});

/** Asks for a refund. Returns the bodies with which the page of its user decides, and the decision of another person. */
async function askTwo({ call, post }: Awaited<ReturnType<typeof serve>>) {
  const chunks = await chunksOf(await post(send('Refund.')));
  const { approvalId: id } = chunks.find(({ type }) => type === 'tool-approval-request')!;
  const decide = (approved: boolean) => {
    const parts = [{ type: 'dynamic-tool', state: 'approval-responded', approval: { id, approved } }];
    return post({ id: 'c-1', messages: [{ id: chunks[0]!['messageId'], role: 'assistant', parts }] });
  };
  const decideElsewhere = (body: unknown) => call('POST', `/api/chat/questions/${String(id)}`, { body });
  return { id, decide, decideElsewhere };
}

test('a decision that comes too late is told which one counts, and changes nothing', async () => {
  const served = await serve({ script: [refund, { text: 'I may not.' }] });
  const { id, decide, decideElsewhere } = await askTwo(served);
  expect((await decideElsewhere({ approved: false, reason: 'Too much.' })).status).toBe(204);
  const chunks = await chunksOf(await decide(true));
  const data = { question: id, decision: 'denied', reason: 'Too much.' };
  expect(chunks[1]).toEqual({ type: 'data-late', id, data });
  expect(chunks).toContainEqual(expect.objectContaining({ type: 'tool-output-denied' }));
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  await served.close();
});

test('the decision that counts, sent again, is not late', async () => {
  const served = await serve({ script: [refund, { text: 'Done.' }] });
  const { decide } = await askTwo(served);
  await chunksOf(await decide(true));
  expect((await chunksOf(await decide(true))).filter(({ type }) => type === 'data-late')).toEqual([]);
  await served.close();
});

test('a decision about a run that has ended is told so', async () => {
  const served = await serve({ script: [refund] });
  const { id, decide } = await askTwo(served);
  expect((await served.call('POST', '/api/chat/c-1/stop')).status).toBe(204);
  expect((await chunksOf(await decide(true)))[1]).toEqual({
    type: 'data-late',
    id,
    data: { question: id, decision: 'ended' },
  });
  await served.close();
});

test('a chat runs until its answer has ended, also while it waits for a person', async () => {
  const served = await serve({ script: [refund, { text: 'Done.' }] });
  const isRunning = async (): Promise<unknown> =>
    ((await (await served.call('GET', '/api/chat/c-1')).json()) as { readonly isRunning: unknown }).isRunning;
  const { decide } = await askTwo(served);
  expect(await isRunning()).toBe(true);
  await chunksOf(await decide(true));
  expect(await isRunning()).toBe(false);
  expect((await served.call('GET', '/api/chat/c-1/stream')).status).toBe(200);
  await served.close();
});

test('a chat is renamed, exported and deleted with everything that is kept of it', async () => {
  const { close, call, post } = await serve();
  await chunksOf(await post(send('Where is my parcel?')));
  expect((await call('PATCH', '/api/chat/c-1', { body: { title: 'Parcel' } })).status).toBe(204);
  expect(await (await call('GET', '/api/chat')).json()).toMatchObject({ chats: [{ id: 'c-1', title: 'Parcel' }] });
  expect(JSON.stringify(await (await call('GET', '/api/chat/c-1/export')).json())).toContain('Where is my parcel?');
  expect((await call('DELETE', '/api/chat/c-1')).status).toBe(204);
  expect((await call('GET', '/api/chat/c-1')).status).toBe(404);
  expect(await (await call('GET', '/api/chat')).json()).toEqual({ chats: [] });
  await close();
});

test('a new message gives up a call that waits for a person', async () => {
  const { close, call, post } = await serve({ script: [refund, { text: 'As you like.' }] });
  await chunksOf(await post(send('Refund.')));
  const chunks = await chunksOf(await post(send('Never mind.', 'm-2')));
  expect(chunks).toContainEqual(expect.objectContaining({ type: 'text-delta' }));
  expect(await (await call('GET', '/api/chat/questions')).json()).toEqual({ questions: [] });
  await close();
});

test('a failing authentication is left to the host', async () => {
  const fail = (): never => {
    throw new RangeError('the session store is down');
  };
  const { close, post } = await serve({ options: { authenticate: fail } });
  await expect(post(send('Hi'))).rejects.toThrow('the session store is down');
  await close();
});

test('a part whose type is no text is refused, and not a fault of the host', async () => {
  const { close, post } = await serve();
  const parts = [{ type: { toString: 1, valueOf: 1 } }];
  expect((await post({ id: 'c-1', messages: [{ id: 'm-1', role: 'user', parts }] })).status).toBe(400);
  await close();
});

test('of twenty messages at once one is answered, also if the host is slow', async () => {
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return null;
  };
  const { close, post } = await serve({ options: { input: slow } });
  const sent = Array.from({ length: 20 }, (_none, index) => post(send('Hi', `m-${String(index)}`)));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
  expect(statuses[0]).toBe(200);
  await close();
});

test('a deleted chat leaves no call that could still be approved', async () => {
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return null;
  };
  const { close, call, post } = await serve({ script: [refund, { text: 'Done.' }], options: { input: slow } });
  await chunksOf(await post(send('First.')));
  await call('DELETE', '/api/chat/c-1');
  const sent = post(send('Refund.', 'm-2'));
  await new Promise((resolve) => setTimeout(resolve, 2));
  await call('DELETE', '/api/chat/c-1');
  await (await sent).text();
  expect(await (await call('GET', '/api/chat/questions')).json()).toEqual({ questions: [] });
  await close();
});

test('an earlier message sent again is shown again, and leaves the open question alone', async () => {
  const { close, call, post } = await serve({ script: [{ text: 'Hello.' }, refund] });
  await chunksOf(await post(send('Hi.')));
  await chunksOf(await post(send('Refund.', 'm-2')));
  const again = await chunksOf(await post(send('Hi.')));
  expect(again).toContainEqual(expect.objectContaining({ type: 'text-delta', delta: 'Hello.' }));
  const { questions } = (await (await call('GET', '/api/chat/questions')).json()) as Asked;
  expect(questions).toHaveLength(1);
  await close();
});

test.each(['//', '//export', '/c-1//stop', '/%2E%2E'])('the address %s is none', async (path) => {
  const { close, call } = await serve();
  expect((await call('GET', `/api/chat${path}`)).status).not.toBe(200);
  await close();
});
