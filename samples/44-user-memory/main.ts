// Facts of a user, remembered across conversations and processes, kept apart from other users, and forgotten by one call.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, Session } from 'toolwright';
import { Conversation, forgetUser, readUser } from 'toolwright/conversations';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { Fact, Offered, slices, Waiter } from './memory.js';

/** Answers one message in a conversation, as a process does that keeps nothing in memory. Returns the system message. */
async function talk(path: string, principal: string, id: string, turns: readonly ScriptedTurn[]): Promise<string> {
  const app = await createApplication({ prompts: [Waiter] });
  const store = new SqliteRuns(path);
  const conversation = await Conversation.open(store, id);
  const session = new Session({ slices });
  const adapter = new ScriptedModel([...turns, { text: 'At your service.' }]);
  const messages = [{ role: 'user', content: 'Good evening.' }] as const;
  // The principal says whose memory it is.
  await app.evaluate(app.prompt(Waiter), { adapter, conversation, session, messages, runMetadata: { principal } });
  await store.close();
  await app.close();
  const known = conversation.messages.find(({ role }) => role === 'system');
  const offered = session.slice(Offered).latest()?.dish ?? 'nothing';
  console.log(`${principal} in ${id}: ${String(session.slice(Fact).all().length)} facts, offered ${offered}`);
  return String(known?.content);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-memory-'));
  const path = join(folder, 'memory.db');
  const call = (name: string, args: Readonly<Record<string, string>>): ScriptedTurn => ({
    toolCalls: [{ name, arguments: args }],
  });

  console.log('--- The first visit ---');
  await talk(path, 'ada', 'monday', [
    call('remember', { fact: 'Ada eats no nuts.' }),
    call('remember', { fact: 'x'.repeat(61) }),
    call('offer', { dish: 'soup' }),
  ]);

  console.log('--- Another conversation of the same user, in another process ---');
  console.log(await talk(path, 'ada', 'friday', []));

  console.log('--- Another user ---');
  assert.ok(!(await talk(path, 'ben', 'saturday', [])).includes('nuts'));

  console.log('--- What is known, and then forgotten ---');
  const store = new SqliteRuns(path);
  const facts = async (): Promise<readonly string[]> =>
    (await readUser(store, 'ada', slices))
      .slice(Fact)
      .all()
      .map(({ text }) => text);
  console.log(await facts());
  await forgetUser(store, 'ada');
  console.log(await facts());
  await store.close();
  await talk(path, 'ada', 'sunday', []);

  rmSync(folder, { recursive: true });
}

void main();
