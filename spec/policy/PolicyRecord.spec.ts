import { bind, createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import {
  PolicyRecord,
  RateLimitPolicy,
  ReadBeforeWritePolicy,
  SequentialDependencyPolicy,
  type ToolPolicy,
} from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { WorkspaceSection } from 'toolwright/sections';
import { ScriptedModel } from 'toolwright/testing';
import { silent } from '../support/silent';

const throughJson = (conversation: Conversation): Conversation =>
  Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));

/** Runs `calls` of a tool `pay`, after one of `look`, in the conversation; returns what the model read. */
async function runWith(policy: ToolPolicy, calls: number, conversation: Conversation, session?: Session) {
  const ran: string[] = [];
  const handler = (name: string) => () => `${name} ${String(ran.push(name))}`;
  const policies = [policy];
  const look = defineTool({ name: 'look', description: 'Looks.', handler: handler('look'), policies });
  const pay = defineTool({ name: 'pay', description: 'Pays.', handler: handler('pay'), policies });
  const prompt = definePrompt({
    ns: 'shop',
    key: 'desk',
    sections: [defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [look, pay] })],
  });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const one = (name: string) => ({ toolCalls: [{ name, arguments: {} }] });
  const script = [one('look'), ...Array.from({ length: calls }, () => one('pay')), { text: 'Done.' }];
  await app.evaluate(app.prompt(prompt), {
    adapter: new ScriptedModel(script),
    session: session ?? new Session(),
    conversation,
    messages: [{ role: 'user', content: 'Pay.' }],
  });
  const outcomes = conversation.toJSON().entries.flatMap((entry) => (entry.kind === 'outcome' ? [entry.outcome] : []));
  return { ran, outcomes };
}

describe('PolicyRecord', () => {
  test('PolicyRecord goes through JSON, as an instance', () => {
    const session = new Session({ slices: [PolicyRecord] });
    session.dispatch(new PolicyRecord('p', 't', null, 1));
    session.dispatch(new PolicyRecord('p', 't', 'a.txt', 2));
    const later = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices: [PolicyRecord] });
    expect(later.slice(PolicyRecord).all()).toEqual(session.slice(PolicyRecord).all());
    expect(later.slice(PolicyRecord).latest()).toBeInstanceOf(PolicyRecord);
  });

  test('PolicyRecord is in every session: one that lists nothing is written and read', () => {
    const session = new Session();
    session.dispatch(new PolicyRecord('p', 't', null, 1));
    const later = Session.fromJSON(JSON.parse(JSON.stringify(session)));
    expect(later.slice(PolicyRecord).all()).toEqual([new PolicyRecord('p', 't', null, 1)]);
  });

  test('PolicyRecord counts calls in a conversation whose session lists no slices, and in the process that goes on with it', async () => {
    const limit = () => new RateLimitPolicy({ maxCalls: 3, perSeconds: 1e6 });
    const conversation = new Conversation();
    const first = await runWith(limit(), 1, conversation);
    expect(first).toEqual({ ran: ['look', 'pay'], outcomes: ['succeeded', 'succeeded'] });
    const second = await runWith(limit(), 2, throughJson(conversation));
    expect(second.ran).toEqual(['look']);
    expect(second.outcomes.slice(2)).toEqual(['succeeded', 'denied', 'denied']);
  });

  test('PolicyRecord may still be listed', async () => {
    const conversation = new Conversation();
    const session = new Session({ slices: [PolicyRecord] });
    const { outcomes } = await runWith(new RateLimitPolicy({ maxCalls: 9, perSeconds: 1e6 }), 2, conversation, session);
    expect(outcomes).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(session.slice(PolicyRecord).all()).toHaveLength(3);
  });

  test('PolicyRecord remembers in a conversation what was done before', async () => {
    const policy = new SequentialDependencyPolicy({ pay: ['look'] });
    const { outcomes } = await runWith(policy, 2, new Conversation());
    expect(outcomes).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  test('PolicyRecord remembers in a conversation which files were read', async () => {
    const prompt = definePrompt({
      ns: 'shop',
      key: 'files',
      sections: [WorkspaceSection],
      policies: [new ReadBeforeWritePolicy()],
    });
    const resources = [bind(Filesystem, { value: new InMemoryFilesystem({ files: { 'a.txt': 'one' } }) })];
    const app = await createApplication({ prompts: [prompt], logger: silent, resources });
    const write = { name: 'write_file', arguments: { path: 'a.txt', content: 'two' } };
    const say = async (
      conversation: Conversation,
      ...calls: { readonly name: string; readonly arguments: object }[]
    ) => {
      const script = [...calls.map((call) => ({ toolCalls: [call] })), { text: 'Done.' }];
      await app.evaluate(app.prompt(prompt), {
        adapter: new ScriptedModel(script as never),
        session: new Session(),
        conversation,
        messages: [{ role: 'user', content: 'Write.' }],
      });
      return conversation.toJSON().entries.flatMap((entry) => (entry.kind === 'outcome' ? [entry.outcome] : []));
    };
    const conversation = new Conversation();
    const read = { name: 'read_file', arguments: { path: 'a.txt' } };
    expect(await say(conversation, write, read)).toEqual(['denied', 'succeeded']);
    expect(await say(throughJson(conversation), write)).toEqual(['denied', 'succeeded', 'succeeded']);
  });
});
