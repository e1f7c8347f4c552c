import type { ModelRequest, ToolSchema } from '../../src/interface/ModelAdapter';
import { recordMeans, planTools } from '../../src/provider/planTools';
import { wrapBridgeCall } from '../../src/provider/bridgeTool';
import type { Message } from '../../src/value/Message';
import type { ToolCall } from '../../src/value/ToolCall';

function tool(name: string, properties: Record<string, object> = { id: { type: 'string' } }): ToolSchema {
  const parameters = { type: 'object', properties, required: Object.keys(properties) };
  return { name, description: `Does ${name}.`, parameters, strict: false };
}

/** Far more closed tools than are listed. */
const many = Array.from({ length: 60 }, (_, index) => tool(`closed_${String(index)}`));

function requestWith(given: Partial<ModelRequest> & { offered?: ToolSchema[]; closed?: ToolSchema[] }): ModelRequest {
  const { offered, closed, ...rest } = given;
  return {
    messages: [],
    toolSchemas: () => [tool('now')],
    ...(offered === undefined ? {} : { offeredTools: () => offered }),
    ...(closed === undefined ? {} : { closedTools: () => closed }),
    signal: new AbortController().signal,
    ...rest,
  };
}

const names = (tools: readonly ToolSchema[]): readonly string[] => tools.map(({ name }) => name);
const call = (name: string, args: ToolCall['arguments']): ToolCall => ({ id: 'c1', name, arguments: args });

describe('the tools of a request without a conversation', () => {
  test('the tools of a request without a conversation are those that are enabled', () => {
    const plan = planTools(requestWith({}), 'openai');
    expect(names(plan.tools)).toEqual(['now']);
    expect(plan.bridge).toBeUndefined();
    expect(plan.received(call('use_tool', '{"tool":"x"}'))).toEqual(call('use_tool', '{"tool":"x"}'));
  });
});

describe('the tools of a conversation', () => {
  const opened: Message = {
    role: 'tool',
    toolCallId: 'c0',
    name: 'open_sections',
    content: 'Opened.',
    failed: false,
    tools: { added: ['closed_7', 'find'], removed: [] },
  };

  test('the tools of a conversation are listed together if few are closed', () => {
    const plan = planTools(requestWith({ offered: [tool('find')], closed: [tool('a'), tool('b')] }), 'openai');
    expect(names(plan.tools)).toEqual(['find', 'a', 'b']);
    expect(plan.textOf(opened)).toBe('Opened.');
  });

  test('the tools of a conversation are the offered ones alone if none is closed', () => {
    expect(names(planTools(requestWith({ offered: [tool('find')] }), 'openai').tools)).toEqual(['find']);
    expect(names(planTools(requestWith({ offered: [tool('find')], closed: [] }), 'openai').tools)).toEqual(['find']);
  });

  test('the tools of a conversation are reached through one that never changes if many are closed', () => {
    const plan = planTools(requestWith({ offered: [tool('find')], closed: many }), 'openai');
    const other = planTools(requestWith({ offered: [], closed: many.slice(1) }), 'openai');
    expect(names(plan.tools)).toEqual(['find', 'use_tool']);
    expect(plan.tools[1]).toEqual(other.tools[0]);
  });

  test('the tools of a conversation are described where they are added, in the same words at each time', () => {
    const request = requestWith({ offered: [tool('find')], closed: many });
    const text = planTools(request, 'openai').textOf(opened);
    const schema = JSON.stringify({
      name: 'closed_7',
      description: 'Does closed_7.',
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    });
    expect(text).toBe(`Opened.\n\nCall this tool with use_tool:\n${schema}`);
    expect(planTools(request, 'openai').textOf(opened)).toBe(text);
    expect(planTools(request, 'openai').textOf({ role: 'user', content: 'Hi' })).toBe('Hi');
  });

  test('the tools of a conversation give way to a tool of the same name', () => {
    const request = requestWith({ offered: [tool('use_tool')], closed: [...many, tool('use_tool_2')] });
    const plan = planTools(request, 'openai');
    expect(plan.bridge).toBe('use_tool_3');
    expect(plan.received(call('use_tool', '{"tool":"a"}'))).toEqual(call('use_tool', '{"tool":"a"}'));
  });

  test('the tools of a conversation are planned as the conversation began', () => {
    const few = requestWith({ offered: [], closed: [tool('a')] });
    const lots = requestWith({ offered: [], closed: many });
    expect(recordMeans(few, 'openai')).toEqual({ closedTools: 'listed' });
    expect(recordMeans(lots, 'openai')).toEqual({ closedTools: 'bridge', bridge: 'use_tool' });
    const bridged = planTools({ ...few, means: { closedTools: 'bridge', bridge: 'reach' } }, 'openai');
    expect(names(bridged.tools)).toEqual(['reach']);
    expect(planTools({ ...lots, means: { closedTools: 'listed' } }, 'openai').tools).toHaveLength(many.length);
    expect(planTools({ ...lots, means: 'of another adapter' }, 'openai').bridge).toBe('use_tool');
  });

  test('the tools of a conversation use a bridge with text for a provider that refuses free objects', () => {
    const [bridge] = planTools(requestWith({ offered: [], closed: many }), 'gemini').tools;
    expect(bridge?.parameters).toMatchObject({ properties: { arguments: { type: 'string' } } });
  });
});

describe('a call of the bridge', () => {
  const closed = [...many, tool('quote', { arguments: { type: 'string' }, by: { type: 'string' } })];
  const plan = planTools(requestWith({ offered: [tool('find')], closed }), 'openai');
  const bridged = (name: string, args: ToolCall['arguments']): ToolCall => ({
    ...call(name, args),
    wireName: 'use_tool',
  });

  test.each<[string, ToolCall['arguments'], ToolCall]>([
    ['nested', '{"tool":"closed_1","arguments":{"id":"7"}}', bridged('closed_1', { id: '7' })],
    ['as an object', { tool: 'closed_1', arguments: { id: '7' } }, bridged('closed_1', { id: '7' })],
    ['nested as text', { tool: 'closed_1', arguments: '{"id":"7"}' }, bridged('closed_1', { id: '7' })],
    ['nested as broken text', { tool: 'closed_1', arguments: '{"id":' }, bridged('closed_1', '{"id":')],
    ['nested as a list', { tool: 'closed_1', arguments: [1] }, bridged('closed_1', '[1]')],
    ['at the top', '{"tool":"closed_1","id":"7"}', bridged('closed_1', { id: '7' })],
    ['at the top beside none', '{"tool":"closed_1","arguments":{},"id":"7"}', bridged('closed_1', { id: '7' })],
    ['at both', '{"tool":"closed_1","arguments":{"a":1},"b":2}', bridged('closed_1', { a: 1, b: 2 })],
    ['left out', '{"tool":"closed_1"}', bridged('closed_1', {})],
    ['null', '{"tool":"closed_1","arguments":null}', bridged('closed_1', {})],
    [
      'at the top for a parameter named arguments',
      '{"tool":"quote","arguments":"x","by":"y"}',
      bridged('quote', { arguments: 'x', by: 'y' }),
    ],
    ['for an unknown tool', '{"tool":"none","arguments":{}}', bridged('none', {})],
    ['for an offered tool', '{"tool":"find","arguments":{"id":"1"}}', bridged('find', { id: '1' })],
    ['broken off', '{"tool":"closed_1","argum', bridged('closed_1', '{"tool":"closed_1","argum')],
    ['without a tool', '{"arguments":{}}', call('use_tool', '{"arguments":{}}')],
    ['as nonsense', 'nonsense', call('use_tool', 'nonsense')],
    ['missing', null, call('use_tool', null)],
  ])('a call of the bridge is read with arguments %s', (_what, given, expected) => {
    expect(plan.received(call('use_tool', given))).toEqual(expected);
  });

  test('a call of the bridge is no call by the real name', () => {
    expect(plan.received(call('closed_1', '{"id":"7"}'))).toEqual(call('closed_1', '{"id":"7"}'));
  });

  test('a call of the bridge is written as the model wrote it', () => {
    const written = { id: 'c1', name: 'use_tool', arguments: { tool: 'closed_1', arguments: { id: '7' } } };
    expect(wrapBridgeCall(bridged('closed_1', { id: '7' }))).toEqual(written);
    expect(wrapBridgeCall(bridged('closed_1', '{"id":"7"}'))).toEqual(written);
    expect(wrapBridgeCall(bridged('closed_1', null)).arguments).toEqual({ tool: 'closed_1', arguments: {} });
    expect(wrapBridgeCall(bridged('closed_1', '{"id')).arguments).toEqual({ tool: 'closed_1', arguments: '{"id' });
    expect(wrapBridgeCall(call('find', '{}'))).toEqual(call('find', '{}'));
  });
});
