import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApprovalPendingError,
  createApplication,
  type Message,
  type ModelAdapter,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { expectStablePrefix, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { PrefixMeasured } from 'toolwright/events';
import { rejectionOf } from '../../packages/openai/spec/support/thrownBy';
import { silent } from '../support/silent';
import { sqliteConnection } from '../../packages/durable/spec/support/sqliteConnection';
import { sqliteRuns } from '../../packages/durable/spec/support/sqliteRuns';

// What docs/conversations.md says, as far as no other spec is about it.

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-page-'));
  path = join(folder, 'runs.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

class Counted {
  constructor(readonly by: number) {}
}

/** An application with a counter, a call that a person approves, and a section that the state may disable. */
async function counter(...script: readonly ScriptStep[]) {
  const state = { isExtraThere: true };
  @Section({ title: 'Counter', template: 'Count.' })
  class Counter {
    @Tool('Count one more.')
    count({ session }: ToolContext): string {
      session.dispatch(new Counted(1));
      return `Counted ${String(session.slice(Counted).all().length)}.`;
    }
    @Tool({ description: 'Begin at 0 again.', requiresApproval: true })
    reset(): string {
      return 'Reset.';
    }
  }
  @Section({ key: 'extra', title: 'Extra', template: 'More.', enabled: () => state.isExtraThere })
  class Extra {
    @Tool('Do more.')
    more(): string {
      return 'More.';
    }
  }
  @Prompt({ ns: 'page', key: 'counter', sections: [Counter, Extra] })
  class CounterDesk {}
  const app = await createApplication({
    prompts: [CounterDesk],
    logger: silent,
    approver: { approve: () => ({ kind: 'later' }) },
  });
  const adapter = new ScriptedModel(script);
  const slices = [Counted];
  const run = (conversation: Conversation, content?: string, rest: { session?: Session; runId?: string } = {}) =>
    app.evaluate(app.prompt(CounterDesk), {
      ...{ adapter, conversation, session: new Session({ slices }) },
      messages: content === undefined ? undefined : [{ role: 'user', content }],
      ...rest,
    });
  return { app, prompt: app.prompt(CounterDesk), adapter, run, state, slices };
}

const call = (name: string): ScriptStep => ({ toolCalls: [{ name, arguments: {} }] });
const contents = ({ messages }: Conversation): readonly unknown[] => messages.slice(1).map(({ content }) => content);
const counts = (session: Session): number => session.slice(Counted).all().length;

test('an open question: no message is refused, a message gives the run up, the first reply counts', async () => {
  const { run } = await counter(call('reset'), { text: 'Well then.' });
  const store = sqliteRuns(path);
  const conversation = await Conversation.open(store, 'c');
  expect(await rejectionOf(run(conversation, 'Reset it.'))).toBeInstanceOf(ApprovalPendingError);
  const again = await Conversation.open(store, 'c');
  expect(again.questions).toMatchObject([{ call: '1.0', name: 'reset', about: 'approval' }]);
  expect(await rejectionOf(run(again))).toMatchObject({ code: 'E731' });
  expect(await run(await Conversation.open(store, 'c'), 'Leave it.')).toMatchObject({ text: 'Well then.' });
  expect(await store.reply('c', again.questions[0]!.id, { kind: 'approved' })).toBe('late');
});

test('a client that repeats its request goes on with the run of the same id', async () => {
  const { run } = await counter(call('reset'), { text: 'Done.' });
  const conversation = new Conversation();
  const ask = () => run(conversation, 'Reset it.', { runId: 'request-7' });
  expect(await rejectionOf(ask())).toBeInstanceOf(ApprovalPendingError);
  const session = { session: new Session(), runId: 'request-7' };
  const again = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
  expect(await rejectionOf(run(again, 'Reset it.', session))).toMatchObject({ code: 'E731' });
  expect(await again.reply(again.questions[0]!.id, { kind: 'approved' })).toBe('taken');
  expect(await run(again, 'Reset it.', session)).toMatchObject({ text: 'Done.' });
  expect(contents(again)).toEqual(['Reset it.', null, 'Reset.', 'Done.']);
});

test('a run that failed: without a message the model is asked again; after an answer there is nothing to ask', async () => {
  const { adapter, app, prompt, run } = await counter({ text: 'Here I am.' });
  const broken: ModelAdapter = { name: adapter.name, complete: () => Promise.reject(new Error('out of order')) };
  const conversation = new Conversation();
  const session = new Session();
  const messages: readonly Message[] = [{ role: 'user', content: 'Hello?' }];
  await rejectionOf(app.evaluate(prompt, { adapter: broken, conversation, session, messages }));
  expect(await run(conversation, undefined, { session })).toMatchObject({ text: 'Here I am.' });
  expect(contents(conversation)).toEqual(['Hello?', 'Here I am.']);
  expect(await rejectionOf(run(conversation, undefined, { session }))).toMatchObject({ code: 'E729' });
});

test('a fork has the state of then, and its entries begin a log of their own', async () => {
  const { run, slices, adapter } = await counter(
    ...[call('count'), { text: 'One.' }],
    ...[call('count'), { text: 'Two.' }],
    ...[call('count'), { text: 'Two again.' }],
  );
  const conversation = new Conversation();
  const session = new Session({ slices });
  await run(conversation, 'Count.', { session, runId: 'first' });
  await run(conversation, 'Once more.', { session, runId: 'second' });
  const other = conversation.fork({ before: 'second' });
  const store = sqliteRuns(path);
  const { epoch } = await store.open(other.id);
  await store.append({ conversation: other.id, epoch, after: 0 }, other.toJSON().entries);
  const kept = await Conversation.open(store, other.id);
  const then = new Session({ slices });
  await run(kept, 'With other words.', { session: then });
  expect(contents(kept).at(-2)).toBe('Counted 2.');
  expect([counts(session), counts(then)]).toEqual([2, 2]);
  // The copy begins with what the original began with.
  expectStablePrefix([...adapter.requests.slice(0, 2), ...adapter.requests.slice(4)]);
});

test('a tool that is disabled or enabled again between two messages is announced after the second one', async () => {
  const { run, state, adapter } = await counter({ text: '1' }, call('more'), { text: '2' }, { text: '3' });
  const conversation = new Conversation();
  const session = new Session();
  await run(conversation, 'One.', { session });
  state.isExtraThere = false;
  await run(conversation, 'Two.', { session });
  state.isExtraThere = true;
  await run(conversation, 'Three.', { session });
  expect(contents(conversation)).toEqual([
    ...['One.', '1', 'Two.', expect.stringContaining('Not available any more: more') as string],
    ...[null, expect.stringContaining('The tool more is not available any more') as string, '2'],
    ...['Three.', expect.stringContaining('Available from now on: more') as string, '3'],
  ]);
  expectStablePrefix(adapter.requests);
});

test('the subscription of the page is called for each request', async () => {
  const { app, run } = await counter(call('count'), { text: 'Done.' });
  const measured: PrefixMeasured[] = [];
  app.eventBus.subscribe(PrefixMeasured, (event) => {
    measured.push(event);
  });
  const conversation = new Conversation();
  await run(conversation, 'Count.');
  expect(measured.map(({ turn, changedBytes }) => [turn, changedBytes])).toEqual([
    [1, 0],
    [2, 0],
  ]);
  expect(measured[0]).toMatchObject({ conversation: conversation.id, keptBytes: 0 });
  expect(measured[1]!.keptBytes).toBe(measured[0]!.newBytes);
});

test('the encryption of the page reads every text again, and the file shows none of it', async () => {
  const key = randomBytes(32);
  const store = sqliteRuns(path, {
    encrypt(text, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    decrypt(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
    },
  });
  const { run } = await counter({ text: 'A secret.' });
  await run(await Conversation.open(store, 'c'), 'Tell me.');
  expect(contents(await Conversation.open(store, 'c'))).toEqual(['Tell me.', 'A secret.']);
  await store.close();
  const file = sqliteConnection(path);
  expect(file.prepare('SELECT conversation FROM logs').all()).toMatchObject([{ conversation: 'c' }]);
  file.close();
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(written.join('')).not.toMatch(/Tell me|secret/);
  const page = readFileSync(join(__dirname, '../../docs/conversations.md'), 'utf8');
  for (const words of ['.setAAD(Buffer.from(place))', 'bytes.subarray(12, -16)', 'bytes.subarray(-16)'])
    expect(page).toContain(words);
});
