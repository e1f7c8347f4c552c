import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline, defineTool, type ModelAdapter, PromptEvaluationError } from 'toolwright';
import { FakeClock, ScriptedModel } from 'toolwright/testing';
import { add, deskOf, rejection } from './desk';

describe('evaluate ends', () => {
  test('evaluate ends when an answer was cut short in the middle of its calls: none is run', async () => {
    let runs = 0;
    const act = defineTool({ name: 'act', description: 'Acts.', handler: () => ++runs });
    const { app, type } = await deskOf([act]);
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: {} }], finishReason: 'length' }]);
    const error = await rejection(app.evaluate(app.prompt(type), { adapter }));
    expect(error).toBeInstanceOf(PromptEvaluationError);
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
    expect(runs).toBe(0);
  });

  test('evaluate ends with the text of an answer that was cut short', async () => {
    const { app, type } = await deskOf([]);
    const adapter = new ScriptedModel([{ text: 'Half a', finishReason: 'length' }]);
    expect(await app.evaluate(app.prompt(type), { adapter })).toMatchObject({ text: 'Half a', finishReason: 'length' });
  });

  test('evaluate ends after so many requests: PromptEvaluationError of phase budget', async () => {
    const { app, type } = await deskOf([add()]);
    const endless = { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 } }] };
    const adapter = new ScriptedModel([endless, endless, endless]);
    const error = await rejection(app.evaluate(app.prompt(type), { adapter, maxTurns: 2 }));
    expect(error).toBeInstanceOf(PromptEvaluationError);
    expect(error).toMatchObject({ phase: 'budget' });
    expect(adapter.requests).toHaveLength(2);
  });

  test('evaluate ends when the adapter throws: PromptEvaluationError of phase request, with the cause', async () => {
    const { app, type } = await deskOf([]);
    const cause = new Error('ECONNRESET');
    for (const complete of [
      () => Promise.reject(cause),
      () => {
        throw cause;
      },
    ]) {
      const error = await rejection(app.evaluate(app.prompt(type), { adapter: { name: 'line', complete } }));
      expect(error).toBeInstanceOf(PromptEvaluationError);
      expect(error).toMatchObject({ phase: 'request', cause });
      expect((error as Error).message).toMatch(/line.*ECONNRESET/);
    }
  });

  test('evaluate ends when the adapter throws an error of ours, unchanged', async () => {
    const { app, type } = await deskOf([]);
    const error = new PromptEvaluationError('Refused.', { phase: 'response', code: 'E702' });
    const adapter: ModelAdapter = { name: 'line', complete: () => Promise.reject(error) };
    expect(await rejection(app.evaluate(app.prompt(type), { adapter }))).toBe(error);
  });
});

describe('the deadline of a run', () => {
  const late = (clock: FakeClock, by: number) => (): { text: string } => {
    clock.advance(by);
    return { text: 'Late.' };
  };

  test('a deadline that has passed before a request: phase request, and no request', async () => {
    const { app, type } = await deskOf([]);
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(1_000);
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    expect(await rejection(app.evaluate(app.prompt(type), { adapter, deadline }))).toMatchObject({ phase: 'request' });
    expect(adapter.requests).toEqual([]);
  });

  test('a deadline that passes during a request: phase response', async () => {
    const { app, type } = await deskOf([]);
    const clock = new FakeClock();
    const adapter = new ScriptedModel([late(clock, 5_000)]);
    const error = await rejection(app.evaluate(app.prompt(type), { adapter, deadline: Deadline.in(5_000, clock) }));
    expect(error).toBeInstanceOf(PromptEvaluationError);
    expect(error).toMatchObject({ phase: 'response' });
  });

  test('a deadline that passes in a call: the call counts, the next one fails with phase tool', async () => {
    const clock = new FakeClock();
    const ran: string[] = [];
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { call }) => {
        ran.push(call.id);
        clock.advance(5_000);
      },
    });
    const { app, type } = await deskOf([act]);
    const toolCalls = ['a', 'b'].map((id) => ({ id, name: 'act', arguments: {} }));
    const adapter = new ScriptedModel([{ toolCalls }, { text: 'Never.' }]);
    const deadline = Deadline.in(5_000, clock);
    expect(await rejection(app.evaluate(app.prompt(type), { adapter, deadline }))).toMatchObject({ phase: 'tool' });
    expect(ran).toEqual(['a']);
  });

  test('the deadline of a run aborts the signal of a request that waits', async () => {
    const { app, type } = await deskOf([]);
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(985);
    const adapter: ModelAdapter = {
      name: 'line',
      complete: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            clock.advance(15);
            reject(signal.reason as Error);
          });
        }),
    };
    expect(await rejection(app.evaluate(app.prompt(type), { adapter, deadline }))).toMatchObject({ phase: 'response' });
  });

  test('the deadline of a run ends a run whose model never answers, and never looks at its signal', async () => {
    const { app, type } = await deskOf([]);
    const adapter: ModelAdapter = { name: 'deaf', complete: () => new Promise(() => undefined) };
    const running = rejection(app.evaluate(app.prompt(type), { adapter, deadline: Deadline.in(1_000) }));
    expect(await Promise.race([running, sleep(2_000, 'still waiting', { ref: false })])).toMatchObject({
      phase: 'response',
    });
  });
});
