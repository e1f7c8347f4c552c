import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  Session,
  type ToolCall,
  type ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { MemoryRuns } from '@toolwright/durable';
import { createIdempotencyKey } from '../../src/dispatch/idempotencyKey';
import { deskOf } from './desk';

const messages = [{ role: 'user', content: 'Act.' }] as const;
const nowhere = { conversation: null, tenant: null };

const keyOf = (args: ToolCall['arguments']): string =>
  createIdempotencyKey(
    { home: nowhere, run: () => 'run', turn: 2, position: '0.1' },
    { id: 'c', name: 'act', arguments: args },
  );

describe('the key of a call', () => {
  test('the key of a call that a handler makes counts the calls of that handler, from 0', async () => {
    const keys: string[] = [];
    const inner = defineTool({
      name: 'inner',
      description: 'Acts.',
      handler: (_params: unknown, { call }: ToolContext) => void keys.push(call.idempotencyKey),
    });
    const call = { id: 'c', name: 'inner', arguments: {} };
    const outer = defineTool({
      name: 'outer',
      description: 'Calls.',
      handler: async (_params: unknown, context: ToolContext) => {
        for (let made = 0; made < 3; made++) await context.callTool(call);
      },
    });
    await (await deskOf([inner, outer], { ids: () => 'run' })).call('outer');
    const positions = ['0.0', '0.1', '0.2'];
    expect(keys).toEqual(
      positions.map((position) => createIdempotencyKey({ home: nowhere, run: () => 'run', turn: 1, position }, call)),
    );
  });

  test('the keys of a run that repeats another one are the keys of that run, but not within its nested runs', async () => {
    const keys: string[] = [];
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { call }: ToolContext) => void keys.push(call.idempotencyKey),
    });
    const Inner = definePrompt({
      ns: 'a',
      key: 'i',
      sections: [defineSection({ key: 's', title: 'S', tools: [act] })],
    });
    const delegate = defineTool({
      name: 'delegate',
      description: 'Delegates.',
      handler: async (_params: unknown, { run }: ToolContext) => {
        await run?.evaluate(app.prompt(Inner));
      },
    });
    const tools = [act, delegate];
    const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools })] });
    const app = await createApplication({ prompts: [Desk, Inner] });
    const call = { id: 'c', name: 'act', arguments: {} };
    const adapter = () => new ScriptedModel([{ toolCalls: [call] }, { text: 'done' }]);
    const prompt = app.prompt(Desk);
    await app.evaluate(prompt, { adapter: adapter(), runId: 'first', messages });
    await app.evaluate(prompt, { adapter: adapter(), runId: 'second', messages });
    await app.evaluate(prompt, { adapter: adapter(), repeatOf: 'first', messages });
    await app.callTool(await prompt.render(), call, { repeatOf: 'first' });
    const outer = [
      { toolCalls: [{ ...call, name: 'delegate' }] },
      { toolCalls: [call] },
      { text: 'in' },
      { text: 'out' },
    ];
    await app.evaluate(prompt, { adapter: new ScriptedModel(outer), repeatOf: 'first', messages });
    const [first, second, repeated, called, nested] = keys;
    expect(keys).toHaveLength(5);
    expect([repeated, called]).toEqual([first, first]);
    expect(second).not.toBe(first);
    expect(nested).not.toBe(first);
  });

  test('the key of a call is the same in every release: a run may be continued by a later one', () => {
    expect(keyOf({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      '1ea5d94394bf276c02ead5b025adf7655e2d39c974e634b998f1e81c8dccc37c',
    );
  });

  test('the key of a call does not depend on the order of keys, nor on those without a value', () => {
    expect(keyOf('{"b":{"y":1,"x":2},"a":1}')).toBe(keyOf({ a: 1, b: { x: 2, y: 1 } }));
    expect(keyOf({ a: 1, b: undefined })).toBe(keyOf({ a: 1 }));
  });

  test('the key of a call distinguishes a list from an object with the same keys, and from one in another order', () => {
    const keys = [{ a: ['x', 'y'] }, { a: { 0: 'x', 1: 'y' } }, { a: ['y', 'x'] }].map(keyOf);
    expect(new Set(keys).size).toBe(3);
  });

  test('the key of a call is another one in another conversation, and for another tenant, with the same id of the run', async () => {
    const keys: string[] = [];
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { call }: ToolContext) => void keys.push(call.idempotencyKey),
    });
    const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
    const app = await createApplication({ prompts: [Desk] });
    const run = async (options: Partial<EvaluateOptions>): Promise<void> => {
      const turns = [{ toolCalls: [{ id: 'c', name: 'act', arguments: '{}' }] }, { text: 'done' }];
      const messages = [{ role: 'user', content: 'Act.' }] as const;
      await app.evaluate(app.prompt(Desk), { adapter: new ScriptedModel(turns), runId: 'r-1', messages, ...options });
    };
    const store = new MemoryRuns();
    for (const tenant of [null, 'acme', 'globex'])
      for (const id of ['c-1', 'c-2']) {
        const conversation = await Conversation.open(store.forTenant(tenant), id);
        await run({ conversation, session: new Session() });
      }
    for (const runMetadata of [{}, { tenant: 'acme' }, { conversation: 'c-3' }]) await run({ runMetadata });
    expect(keys).toHaveLength(9);
    expect(new Set(keys).size).toBe(9);
    // In memory as in a store: its calls are the same, wherever the conversation is recorded.
    await run({ conversation: new Conversation({ id: 'c-1' }) });
    expect(keys.at(-1)).toBe(keys[0]);
  });
});
