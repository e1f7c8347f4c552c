// What is written can be read: an entry that could not be read again is refused when it is written.
import { createApplication, definePrompt, defineSection, defineTool, type ModelAdapter, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { silent } from '../../support/silent';

jest.setTimeout(120_000);
const messages = [{ role: 'user', content: 'Hello.' }] as const;
const throughJson = (conversation: Conversation): Conversation =>
  Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));

/** A desk with so many tools, whose arguments are described by a schema with so many properties. */
async function openDesk(tools: number, params: number) {
  const text = { type: 'string', description: 'A text.', minLength: 1 };
  const properties = Object.fromEntries(Array.from({ length: params }, (_, at) => [`p${String(at)}`, text]));
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  const standard = {
    '~standard': {
      ...{ version: 1, vendor: 'spec', validate: (value: unknown) => ({ value }) },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
  const made = Array.from({ length: tools }, (_, at) =>
    defineTool({
      name: `tool_${String(at)}`,
      description: 'Does it.',
      params: standard as never,
      handler: () => 'done',
    }),
  );
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: made });
  const prompt = definePrompt({ ns: 'shop', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  return { app, prompt: app.prompt(prompt) };
}

const nativeOf = (values: number) => ({ provider: 'spec', content: Array.from({ length: values }, (_, at) => at) });
const answering = (native: unknown): ModelAdapter => ({
  name: 'spec',
  complete: () => Promise.resolve({ text: 'Hi.', toolCalls: [], finishReason: 'stop', native: native as never }),
});

test('a conversation with 1,000 tools of 30 params each is read again, and goes on', async () => {
  const { app, prompt } = await openDesk(1_000, 30);
  const conversation = new Conversation();
  const say = (over: Conversation) =>
    app.evaluate(prompt, {
      ...{ adapter: new ScriptedModel([{ text: 'Hi.' }]), session: new Session(), conversation: over, messages },
    });
  await say(conversation);
  expect((await say(throughJson(conversation))).text).toBe('Hi.');
});

test('a conversation records 1,000 tools in the words of their provider, is read again, and goes on', async () => {
  const { app, prompt } = await openDesk(1_000, 30);
  const conversation = new Conversation();
  const sent: unknown[] = [];
  const adapter: ModelAdapter = {
    name: 'spec',
    complete: ({ offeredTools }) => {
      sent.push(offeredTools?.('openai', { strict: true }));
      return Promise.resolve({ text: 'Hi.', toolCalls: [], finishReason: 'stop' });
    },
  };
  const say = (over: Conversation) =>
    app.evaluate(prompt, { adapter, session: new Session(), conversation: over, messages });
  await say(conversation);
  expect((await say(throughJson(conversation))).text).toBe('Hi.');
  expect(JSON.stringify(sent[0])).not.toContain('minLength');
  expect(sent[1]).toEqual(sent[0]);
});

test('an answer with as many native values as an adapter may return is read again, and goes on', async () => {
  const { app, prompt } = await openDesk(1, 1);
  const conversation = new Conversation();
  const say = (over: Conversation) =>
    app.evaluate(prompt, {
      adapter: answering(nativeOf(99_000)),
      session: new Session(),
      conversation: over,
      messages,
    });
  await say(conversation);
  const again = throughJson(conversation);
  expect((await say(again)).text).toBe('Hi.');
  expect(throughJson(again).messages).toHaveLength(5);
});

test('an answer with 150,000 native values is refused before it is recorded, and the conversation goes on', async () => {
  const { app, prompt } = await openDesk(1, 1);
  const conversation = new Conversation();
  const given = { session: new Session(), conversation, messages };
  const failed = app.evaluate(prompt, { ...given, adapter: answering(nativeOf(150_000)) });
  await expect(failed).rejects.toMatchObject({ code: 'E702' });
  expect(throughJson(conversation).toJSON().entries.at(-1)).toMatchObject({ kind: 'end', how: 'failed' });
  expect((await app.evaluate(prompt, { ...given, adapter: answering(nativeOf(1)) })).text).toBe('Hi.');
});

test('calls that could not be read are refused before any of them runs', async () => {
  const { app, prompt } = await openDesk(1, 1);
  const conversation = new Conversation();
  const toolCalls = Array.from({ length: 13 }, (_, at) => ({
    id: String(at),
    name: 'tool_0',
    arguments: { list: Array<number>(10_000).fill(0) },
  }));
  const adapter: ModelAdapter = {
    name: 'spec',
    complete: () => Promise.resolve({ text: null, toolCalls, finishReason: 'tool_calls' }),
  };
  const failed = app.evaluate(prompt, { adapter, session: new Session(), conversation, messages });
  await expect(failed).rejects.toMatchObject({ code: 'E709' });
  await expect(failed).rejects.toThrow(
    'the entry "answer" cannot be recorded: expected at most 120000 values in one entry',
  );
  // The run stays open, as after any entry that could not be written.
  const again = throughJson(conversation);
  const next = app.evaluate(prompt, {
    session: new Session(),
    conversation: again,
    messages,
    adapter: answering(nativeOf(1)),
  });
  expect((await next).text).toBe('Hi.');
});
