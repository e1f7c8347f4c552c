import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, ModelAdapter, ModelRequest } from 'toolwright';
import { expectStablePrefix, ScriptedModel } from 'toolwright/testing';
import { ChatServer } from '../../../samples/36-conversation/ChatServer';
import { after, before } from '../../../samples/36-conversation/model';

const running: ChatServer[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-story-'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(adapter: ModelAdapter): Promise<ChatServer> {
  const server = await ChatServer.start(join(folder, 'runs.db'), adapter);
  running.push(server);
  return server;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

async function post(server: ChatServer, what: 'messages' | 'replies', body: object): Promise<Answered> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}/conversations/c-1/${what}`, init);
  return { status: response.status, body: await response.json() };
}

const say = (server: ChatServer, content: string): Promise<Answered> => post(server, 'messages', { content });
const said = (text: string): Answered => ({ status: 200, body: { text } });

/** The id of the question that a run waits for. */
function questionIn({ body }: Answered): string | undefined {
  return (body as { readonly questions: readonly { readonly id: string }[] }).questions[0]?.id;
}

async function messagesOf(server: ChatServer): Promise<readonly Message[]> {
  const response = await fetch(`${server.url}/conversations/c-1`);
  return (await response.json()) as readonly Message[];
}

const userTexts = (messages: readonly Message[]): readonly unknown[] =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => content);

test('three messages, an approval, another application, a fourth message: 0 changed bytes', async () => {
  const first = before();
  const server = await start(first);
  expect(await say(server, 'Where is my order W7?')).toEqual(said('W7: a lamp for 49.00, delivered.'));
  expect(await say(server, 'I want to send it back.')).toEqual(said('The return of W7 is announced.'));
  const waiting = await say(server, 'Then pay me back, please.');
  const asking = { call: '1.0', name: 'pay_back', about: 'approval' };
  expect(waiting).toMatchObject({ status: 202, body: { questions: [asking] } });
  const question = questionIn(waiting);
  const asked = first.requests.length;
  const reply = { kind: 'approved' };
  expect(await post(server, 'replies', { question, reply })).toEqual(said('W7 is paid back.'));
  // The call ran once, and the model was asked for what follows it alone.
  expect(first.requests).toHaveLength(asked + 1);
  expect((await post(server, 'replies', { question, reply })).status).toBe(410);
  await server.stop();

  const second = after();
  const other = await start(second);
  expect(await say(other, 'What became of it?')).toEqual(said('W7: a lamp for 49.00, paid back.'));
  expect(expectStablePrefix([...first.requests, ...second.requests]).requests).toBe(9);
  expect(server.changedBytes + other.changedBytes).toBe(0);
  expect(userTexts(await messagesOf(other))).toEqual([
    'Where is my order W7?',
    'I want to send it back.',
    'Then pay me back, please.',
    'What became of it?',
  ]);
});

test('a denial is read by the model, and the conversation goes on', async () => {
  const server = await start(before());
  await say(server, 'Where is my order W7?');
  await say(server, 'I want to send it back.');
  const question = questionIn(await say(server, 'Then pay me back, please.'));
  const reply = { kind: 'denied', reason: 'the lamp has not arrived yet' };
  const { status, body } = await post(server, 'replies', { question, reply });
  expect(status).toBe(200);
  expect((body as { readonly text: string }).text).toContain('the lamp has not arrived yet');
});

test('messages posted to two processes at once: the one that came first is refused, and nothing of it is lost or doubled', async () => {
  const requests: ModelRequest[] = [];
  let asked = (): void => undefined;
  let answer = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  const scripted = (text: string, held = false): ModelAdapter => {
    const model = new ScriptedModel([{ text }, { text: `${text} Again.` }]);
    return {
      name: model.name,
      takesOutputSchema: true,
      complete: async (request) => {
        requests.push(request);
        if (held && requests.length === 1) {
          asked();
          await mayAnswer;
        }
        return model.complete(request);
      },
    };
  };
  const one = await start(scripted('From the first.', true));
  const two = await start(scripted('From the second.'));
  const early = say(one, 'Hello from one tab.');
  await isAsked;
  expect(await say(two, 'Hello from another.')).toEqual(said('From the second.'));
  answer();
  expect(await early).toEqual({ status: 409, body: { problem: 'E709' } });

  const messages = await messagesOf(two);
  expect(messages.slice(1)).toEqual([
    { role: 'user', content: 'Hello from one tab.' },
    { role: 'user', content: 'Hello from another.' },
    { role: 'assistant', content: 'From the second.' },
  ]);
  // The first one may go on: it opens the conversation again.
  expect(await say(one, 'And now?')).toEqual(said('From the first. Again.'));
  expect(expectStablePrefix(requests).requests).toBe(3);
  expect(one.changedBytes + two.changedBytes).toBe(0);
});
