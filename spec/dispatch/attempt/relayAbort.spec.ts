import { getEventListeners } from 'node:events';
import { defineTool, type ToolContext } from 'toolwright';
import { deskOf, rejection } from '../desk';

describe('the signal of the caller of a turn', () => {
  const calls = [{ id: 'a', name: 'act', arguments: {} }];
  const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

  test('the signal of the caller of a turn is listened to while the calls run, and no longer', async () => {
    const { signal } = new AbortController();
    const meanwhile: number[] = [];
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: () => {
        meanwhile.push(listeners(signal));
      },
    });
    const desk = await deskOf([act]);
    for (let turn = 0; turn < 2; turn++) await desk.app.callTools(desk.rendered, calls, { signal });
    expect({ meanwhile, after: listeners(signal) }).toEqual({ meanwhile: [1, 1], after: 0 });
  });

  test('the signal of the caller of a turn ends the calls with its reason, also if it was aborted before', async () => {
    const reason = new Error('enough');
    const caller = new AbortController();
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { signal }: ToolContext) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
          setImmediate(() => {
            caller.abort(reason);
          });
        }),
    });
    const desk = await deskOf([act]);
    const turn = () => rejection(desk.app.callTools(desk.rendered, calls, { signal: caller.signal }));
    expect([await turn(), await turn()]).toEqual([reason, reason]);
    expect(listeners(caller.signal)).toBe(0);
  });

  test('the signal of the caller of a turn ends a call whose handler aborts it and rejects at once, as it ends any other', async () => {
    const reason = new Error('enough');
    const caller = new AbortController();
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { signal }: ToolContext) => {
        caller.abort(reason);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('stopped'));
          });
        });
      },
    });
    const desk = await deskOf([act]);
    expect(await rejection(desk.app.callTools(desk.rendered, calls, { signal: caller.signal }))).toBe(reason);
  });
});
