import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ModelAdapter,
  type ModelResponse,
  Session,
} from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';

class Note {
  constructor(readonly text: string) {}
}
async function evaluateWith(adapter: ModelAdapter, signal: AbortSignal, tools: readonly Constructor[] = []) {
  const section = defineSection({ key: 'desk', title: 'Desk', tools });
  const type = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [type] });
  const session = new Session();
  const outcome = await app.evaluate(app.prompt(type), { adapter, signal, session }).then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );
  return { ...outcome, session };
}
const answer = (text: string): ModelResponse => ({ text, toolCalls: [], finishReason: 'stop' });

describe("the caller's abort", () => {
  test('CANC-03 before the run: rejects with the reason, and no request is made', async () => {
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const reason = new Error('user left');
    expect(await evaluateWith(adapter, AbortSignal.abort(reason))).toMatchObject({ error: reason });
    expect(adapter.requests).toEqual([]);
  });

  test('CANC-03 during a request: the request is aborted with the reason, and the run rejects with it', async () => {
    const controller = new AbortController();
    const reason = new Error('user left');
    const seen: unknown[] = [];
    const adapter: ModelAdapter = {
      name: 'line',
      complete: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            seen.push(signal.reason);
            reject(new DOMException('The operation was aborted.', 'AbortError'));
          });
          controller.abort(reason);
        }),
    };
    const { error } = (await evaluateWith(adapter, controller.signal)) as { error: unknown };
    expect(error).toBe(reason);
    expect(seen).toEqual([reason]);
  });

  test('CANC-03 during a request that does not listen: rejects at once', async () => {
    const controller = new AbortController();
    const adapter: ModelAdapter = { name: 'deaf', complete: () => new Promise(() => undefined) };
    setTimeout(() => {
      controller.abort('gone');
    }, 5);
    const outcome = await Promise.race([
      evaluateWith(adapter, controller.signal),
      sleep(500, 'still waiting', { ref: false }),
    ]);
    expect(outcome).toMatchObject({ error: 'gone' });
  });

  test('CANC-03 during a request that answers all the same: the answer comes too late', async () => {
    const controller = new AbortController();
    const adapter: ModelAdapter = {
      name: 'deaf',
      complete: async () => {
        controller.abort('gone');
        return Promise.resolve(answer('Hello.'));
      },
    };
    expect(await evaluateWith(adapter, controller.signal)).toMatchObject({ error: 'gone' });
  });

  test('CANC-03 during a request that rejects much later: no unhandled rejection', async () => {
    const controller = new AbortController();
    const adapter: ModelAdapter = {
      name: 'deaf',
      complete: async () => {
        controller.abort('gone');
        await sleep(20);
        throw new Error('socket closed');
      },
    };
    expect(await evaluateWith(adapter, controller.signal)).toMatchObject({ error: 'gone' });
    await sleep(40);
  });

  test('CANC-03 an abort during a handler rolls it back, and starts no further tool or request', async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: async (_params: unknown, { call, session }) => {
        ran.push(call.id);
        session.dispatch(new Note(call.id));
        await sleep(1);
        if (call.id === 'b') controller.abort('gone');
        await sleep(5);
      },
    });
    const toolCalls = ['a', 'b', 'c'].map((id) => ({ id, name: 'act', arguments: {} }));
    const adapter = new ScriptedModel([{ toolCalls }, { text: 'Never.' }]);
    const { session, ...outcome } = await evaluateWith(adapter, controller.signal, [act]);
    expect(outcome).toEqual({ error: 'gone' });
    expect(ran).toEqual(['a', 'b']);
    expect(session.slice(Note).all()).toEqual([{ text: 'a' }]);
    expect(adapter.requests).toHaveLength(1);
    await sleep(10);
  });

  test("the caller's abort leaves no listener on a signal that never aborts", async () => {
    const controller = new AbortController();
    const add = jest.spyOn(controller.signal, 'addEventListener');
    const remove = jest.spyOn(controller.signal, 'removeEventListener');
    expect(await evaluateWith(new ScriptedModel([{ text: 'Hello.' }]), controller.signal)).toMatchObject({
      response: { text: 'Hello.' },
    });
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});
