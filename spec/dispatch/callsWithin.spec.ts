import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, type Constructor, type ToolContext } from 'toolwright';
import type { CallInfo } from 'toolwright/policies';
import { deskOf } from './desk';

const tool = (name: string, handler: (context: ToolContext) => unknown, readOnly = false): Constructor =>
  defineTool({
    name,
    description: 'Acts.',
    hints: { readOnly },
    handler: (_params: unknown, context) => handler(context),
  });
const call = (name: string, id = name) => ({ id, name, arguments: {} });

describe('calls that a handler makes', () => {
  test('calls that a handler makes know the call that they are made in, and so do their events', async () => {
    const seen: Pick<CallInfo, 'caller' | 'parentCallId'>[] = [];
    const leaf = tool('leaf', ({ call: { caller, parentCallId } }) => void seen.push({ caller, parentCallId }));
    const outer = tool('outer', async (context) => {
      seen.push({ caller: context.call.caller, parentCallId: context.call.parentCallId });
      await context.callTool(call('leaf', 'inner-id'));
    });
    const desk = await deskOf([leaf, outer]);
    await desk.app.callTool(desk.rendered, call('outer', 'outer-id'), { session: desk.session });
    expect(seen).toEqual([
      { caller: 'direct', parentCallId: undefined },
      { caller: 'direct', parentCallId: 'outer-id' },
    ]);
    expect(desk.events.map(({ callId, caller, parentCallId }) => [callId, caller, parentCallId])).toEqual([
      ['inner-id', 'direct', 'outer-id'],
      ['outer-id', 'direct', undefined],
    ]);
  });

  test('calls that a handler makes run together when they only read, and alone otherwise', async () => {
    let running = 0;
    let most = 0;
    const counted = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await sleep(5);
      running--;
    };
    const outer = (name: string): Constructor =>
      tool(`outer_${name}`, async (context) => {
        most = 0;
        await Promise.all([context.callTool(call(name, 'a')), context.callTool(call(name, 'b'))]);
      });
    const desk = await deskOf([tool('read', counted, true), tool('write', counted), outer('read'), outer('write')]);
    await desk.call('outer_read');
    expect(most).toBe(2);
    await desk.call('outer_write');
    expect(most).toBe(1);
  });

  test('calls of handlers find tools that only programs are offered', async () => {
    const hidden = defineTool({ name: 'hidden', description: 'H.', callers: ['program'], handler: () => 'found' });
    const desk = await deskOf([
      hidden,
      tool('outer', async (context) => (await context.callTool(call('hidden'))).text),
    ]);
    expect((await desk.call('outer')).text).toBe('found');
    expect((await desk.call('hidden')).kind).toBe('unknown');
  });
});
