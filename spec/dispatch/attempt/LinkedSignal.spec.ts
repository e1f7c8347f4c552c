import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, type ToolContext } from 'toolwright';
import { LinkedSignal } from '../../../src/dispatch/attempt/LinkedSignal';
import { deskOf, rejection, UNTOUCHED, writeBoth } from '../desk';

describe('CallSignal', () => {
  test('CallSignal returns the same signal each time, and aborts it with the first reason', () => {
    const signal = new LinkedSignal();
    const { signal: shown } = signal;
    expect(signal.signal).toBe(shown);
    expect(shown.aborted).toBe(false);
    signal.abort('first');
    signal.abort('second');
    expect(shown.reason).toBe('first');
  });

  test('a CallSignal that is asked for after the abort is aborted, with the first reason', () => {
    const signal = new LinkedSignal();
    signal.abort('over');
    signal.abort('rolled back');
    expect(signal.signal.aborted).toBe(true);
    expect(signal.signal.reason).toBe('over');
  });
});

describe("the caller's signal", () => {
  test('CANC-03 the caller aborts in the middle: the call rejects with the reason, rolled back, and the handler sees it', async () => {
    const reason = new Error('user left');
    const controller = new AbortController();
    const seen: unknown[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: async (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          const { signal } = context;
          signal.addEventListener('abort', () => seen.push(signal.reason));
          controller.abort(reason);
          await sleep(20);
          throw new Error('late');
        },
      }),
    ]);
    expect(await rejection(desk.call('act', {}, { signal: controller.signal }))).toBe(reason);
    expect(seen).toEqual([reason]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ result: null, toolMessage: '' });
    await sleep(40);
  });

  test('CANC-03 a signal that was aborted before rejects with its reason, and nothing runs', async () => {
    let runs = 0;
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => ++runs })]);
    expect(await rejection(desk.call('act', {}, { signal: AbortSignal.abort('gone') }))).toBe('gone');
    expect(runs).toBe(0);
  });

  test('CANC-03 the caller aborts during a turn: no further tool runs', async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: async (_params: unknown, { call }: ToolContext) => {
          ran.push(call.id);
          if (call.id === 'b') controller.abort('gone');
          await sleep(1);
        },
      }),
    ]);
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'act', arguments: {} }));
    const { session } = desk;
    expect(await rejection(desk.app.callTools(desk.rendered, calls, { session, signal: controller.signal }))).toBe(
      'gone',
    );
    expect(ran).toEqual(['a', 'b']);
  });

  test("the caller's signal keeps no listener of a call that is over", async () => {
    const controller = new AbortController();
    const add = jest.spyOn(controller.signal, 'addEventListener');
    const remove = jest.spyOn(controller.signal, 'removeEventListener');
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: async () => 'done' })]);
    await desk.call('act', {}, { signal: controller.signal });
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(1);
  });
});
