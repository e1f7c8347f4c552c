import { setTimeout as sleep } from 'node:timers/promises';
import {
  defineTool,
  type Message,
  type ModelRequest,
  type RunEvent,
  Session,
  ToolResult,
  VisibilityExpansionRequired,
} from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { PrefixMeasured, PromptExecuted, PromptRendered, ToolInvoked, ToolsRendered } from 'toolwright/events';
import { add, deskOf, rejection } from './desk';

const SYSTEM: Message = { role: 'system', content: '## Desk\n\nHelp.' };
describe('evaluate', () => {
  test('evaluate starts with the text as system message, then the messages that are passed', async () => {
    const { app, type } = await deskOf([]);
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const messages: readonly Message[] = [{ role: 'user', content: 'Hi.' }];
    const response = await app.evaluate(app.prompt(type), { adapter, messages });
    expect(adapter.requests.map((request) => request.messages)).toEqual([[SYSTEM, ...messages]]);
    expect(response).toMatchObject({ text: 'Hello.', turns: 1, finishReason: 'stop' });
    expect(response.transcript).toEqual([SYSTEM, ...messages, { role: 'assistant', content: 'Hello.' }]);
  });

  test('evaluate runs the tools that the model calls, and sends it their outcomes, until it answers', async () => {
    const { app, type } = await deskOf([add()]);
    const adapter = new ScriptedModel([
      { toolCalls: [{ id: 'a', name: 'add', arguments: '{"a":1,"b":2}' }] },
      {
        text: 'Once more.',
        toolCalls: [
          { id: 'b', name: 'add', arguments: { a: 3, b: 4 } },
          { id: 'c', name: 'add', arguments: { a: 5, b: 6 } },
        ],
      },
      ({ messages }) => ({
        text: messages
          .filter(({ role }) => role === 'tool')
          .map(({ content }) => content)
          .join(),
      }),
    ]);
    const response = await app.evaluate(app.prompt(type), { adapter });
    expect(response).toMatchObject({ text: '3,7,11', turns: 3 });
    expect(adapter.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 6]);
    expect(response.transcript).toEqual([
      SYSTEM,
      { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'add', arguments: '{"a":1,"b":2}' }] },
      { role: 'tool', toolCallId: 'a', name: 'add', content: '3', failed: false },
      {
        role: 'assistant',
        content: 'Once more.',
        toolCalls: [
          { id: 'b', name: 'add', arguments: { a: 3, b: 4 } },
          { id: 'c', name: 'add', arguments: { a: 5, b: 6 } },
        ],
      },
      { role: 'tool', toolCallId: 'b', name: 'add', content: '7', failed: false },
      { role: 'tool', toolCallId: 'c', name: 'add', content: '11', failed: false },
      { role: 'assistant', content: '3,7,11' },
    ]);
  });

  test('evaluate continues after tools that fail, in every way in which they can', async () => {
    const tools = [
      add(),
      defineTool({ name: 'refuse', description: 'Refuses.', handler: () => ToolResult.error('No.', { value: 7 }) }),
      defineTool({
        name: 'crash',
        description: 'Crashes.',
        handler: () => {
          throw new TypeError('boom');
        },
      }),
      defineTool({ name: 'hang', description: 'Hangs.', timeoutMs: 10, handler: () => sleep(30) }),
    ];
    const { app, type } = await deskOf(tools);
    const names = ['refuse', 'crash', 'hang', 'nope'];
    const adapter = new ScriptedModel([
      { toolCalls: [...names.map((name) => ({ name, arguments: {} })), { name: 'add', arguments: '{"a":' }] },
      { text: 'Sorry.' },
    ]);
    const response = await app.evaluate(app.prompt(type), { adapter });
    const told = response.transcript.filter((message) => message.role === 'tool');
    expect(told.map(({ name, failed }) => `${name} ${failed}`)).toEqual([
      'refuse true',
      'crash true',
      'hang true',
      'nope true',
      'add true',
    ]);
    expect(told.map(({ content }) => content).join('\n')).toMatch(
      /No\.\n\n7[^]*TypeError: boom[^]*10 ms[^]*"nope"[^]*malformed/,
    );
    expect(response.text).toBe('Sorry.');
  });

  test('evaluate keeps the session of the caller from turn to turn, and makes one where none is given', async () => {
    class Note {
      constructor(readonly text: string) {}
    }
    const note = defineTool({
      name: 'note',
      description: 'Notes.',
      handler: (_params: unknown, { session }) => {
        session.dispatch(new Note('x'));
        return session.slice(Note).all().length;
      },
    });
    const { app, type } = await deskOf([note]);
    const script = [
      { toolCalls: [{ name: 'note', arguments: null }] },
      { toolCalls: [{ name: 'note', arguments: '' }] },
      {},
    ];
    const session = new Session();
    const first = await app.evaluate(app.prompt(type), { adapter: new ScriptedModel(script), session });
    expect(first.transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual([
      '1',
      '2',
    ]);
    expect(first.text).toBeNull();
    expect(session.slice(Note).all()).toHaveLength(2);
    const second = await app.evaluate(app.prompt(type), { adapter: new ScriptedModel(script) });
    expect(second.transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual([
      '1',
      '2',
    ]);
  });

  test('CALL-07 evaluate reports the usage of the whole run and of each request, and nothing where the provider reports nothing', async () => {
    const { app, type } = await deskOf([add()]);
    const calls = [{ name: 'add', arguments: { a: 1, b: 1 } }];
    const adapter = new ScriptedModel([
      { toolCalls: calls, usage: { inputTokens: 10, outputTokens: 1 } },
      { text: 'Two.', usage: { inputTokens: 20, outputTokens: 2, totalTokens: 22 } },
    ]);
    const response = await app.evaluate(app.prompt(type), { adapter });
    expect(response.usage).toEqual({ inputTokens: 30, outputTokens: 3 });
    expect(response).toMatchObject({
      requests: [
        { inputTokens: 10, outputTokens: 1 },
        { inputTokens: 20, outputTokens: 2, totalTokens: 22 },
      ],
      cost: undefined,
    });
    const silent = new ScriptedModel([{ text: 'Two.' }]);
    expect((await app.evaluate(app.prompt(type), { adapter: silent })).usage).toBeUndefined();
  });

  test('evaluate takes a rendering as well, and offers its tools in the dialect that is asked for', async () => {
    const { app, type } = await deskOf([add()]);
    const rendered = await app.prompt(type).render();
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    await app.evaluate(rendered, { adapter });
    const [request] = adapter.requests as [ModelRequest];
    expect(request.toolSchemas('openai', { strict: true })).toEqual(rendered.toolSchemas('openai', { strict: true }));
    expect(request.toolSchemas('json-schema').map(({ name }) => name)).toEqual(['add']);
    expect(request.signal.aborted).toBe(false);
  });

  test('evaluate notifies the bus and the run of the rendering, the calls and the answer, in order', async () => {
    const { app, type } = await deskOf([add()]);
    const [heard, own]: [object[], RunEvent[]] = [[], []];
    for (const event of [PromptRendered, ToolsRendered, PrefixMeasured, ToolInvoked, PromptExecuted]) {
      app.eventBus.subscribe<object>(event, (published) => {
        heard.push(published);
      });
    }
    const session = new Session();
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 } }], usage: { totalTokens: 3 } },
      { text: 'Two.', usage: { totalTokens: 5 } },
    ]);
    await app.evaluate(app.prompt(type), { adapter, session, onEvent: (event) => own.push(event) });
    expect(heard).toMatchObject([
      { prompt: 'spec/desk', text: SYSTEM.content, toolNames: ['add'], sessionId: session.id },
      { prompt: 'spec/desk', tools: [{ name: 'add', sectionPath: 'desk' }] },
      { prompt: 'spec/desk', conversation: '', turn: 1, keptBytes: 0, changedBytes: 0 },
      { name: 'add', kind: 'succeeded' },
      { prompt: 'spec/desk', conversation: '', turn: 2, changedBytes: 0, brokenAt: undefined },
      { prompt: 'spec/desk', text: 'Two.', turns: 2, usage: { totalTokens: 8 }, sessionId: session.id },
    ]);
    expect(own).toEqual(heard);
    expect(heard.every((event) => Object.isFrozen(event))).toBe(true);
  });

  test('evaluate lets VisibilityExpansionRequired through as it is', async () => {
    const signal = new VisibilityExpansionRequired({ sectionKeys: ['a'], reason: 'r', requestedOverrides: {} });
    const open = defineTool({
      name: 'open',
      description: 'Opens.',
      handler: () => {
        throw signal;
      },
    });
    const { app, type } = await deskOf([open]);
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'open', arguments: {} }] }]);
    expect(await rejection(app.evaluate(app.prompt(type), { adapter }))).toBe(signal);
  });
});
