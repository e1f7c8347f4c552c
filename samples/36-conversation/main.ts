// A conversation over HTTP: three messages, another process, a fourth; and a fifth by a function. Every request to the model begins with the one before.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from 'toolwright';
import { expectStablePrefix } from 'toolwright/testing';
import { ChatServer } from './ChatServer.js';
import { after, before, last } from './model.js';
import { sayInFile } from './sayInFile.js';

interface ChatAnswer {
  readonly text?: string;
  readonly questions?: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-sample-'));
  try {
    await chat(join(folder, 'runs.db'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function chat(path: string): Promise<void> {
  const first = before();
  const server = await ChatServer.start(path, first);
  await say(server, 'Where is my order W7?');
  await say(server, 'I want to send it back.');
  const { questions = [] } = await say(server, 'Then pay me back, please.');
  const question = questions[0];
  assert.equal(question?.name, 'pay_back');
  console.log(`  waits for a person: ${question.name} ${String(question.arguments)}`);
  const reply = { kind: 'approved', by: 'kim' };
  const { text } = await post(server, 'replies', { question: question.id, reply });
  console.log(`  approved: ${String(text)}`);
  await server.stop();

  console.log('--- Another application, over the same file ---');
  const second = after();
  const other = await ChatServer.start(path, second);
  const fourth = await say(other, 'What became of it?');
  assert.equal(fourth.text, 'W7: a lamp for 49.00, paid back.');

  console.log('--- The conversation ---');
  const messages = (await (await fetch(`${other.url}/conversations/c-1`)).json()) as readonly Message[];
  for (const message of messages.slice(1)) console.log(lineOf(message));
  await other.stop();

  console.log('--- The file without a server ---');
  const third = last();
  console.log(`  ${String(await sayInFile(path, 'Which order did I ask for?', third))}`);

  const { requests } = expectStablePrefix([...first.requests, ...second.requests, ...third.requests]);
  const changedBytes = server.changedBytes + other.changedBytes;
  console.log(`prefix: ${String(requests)} requests, ${String(changedBytes)} changed bytes`);
  assert.equal(changedBytes, 0);
}

async function say(server: ChatServer, content: string): Promise<ChatAnswer> {
  console.log(`user: ${content}`);
  const answer = await post(server, 'messages', { content });
  if (answer.text !== undefined) console.log(`  ${answer.text}`);
  return answer;
}

async function post({ url }: ChatServer, what: string, body: object): Promise<ChatAnswer> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/conversations/c-1/${what}`, init);
  assert.ok(response.ok, `the server answered ${String(response.status)}`);
  return (await response.json()) as ChatAnswer;
}

function lineOf(message: Message): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []).map(({ name }) => name) : [];
  const said = message.content?.split('\n', 1)[0] ?? '';
  return `${message.role}: ${[said, ...calls.map((name) => `calls ${name}`)].filter((text) => text !== '').join(', ')}`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
