import { setTimeout as sleep } from 'node:timers/promises';
import {
  Deadline,
  defineTool,
  PromptValidationError,
  ToolRefusal,
  type ToolContext,
  type ToolHints,
  type ToolOptions,
} from 'toolwright';
import type { ToolRetry } from 'toolwright/types';
import { deskOf, Note, UNTOUCHED } from '../desk';

/** A tool that writes a note, then does what the number of the attempt asks for. */
function flaky(
  retry: ToolRetry,
  act: (attempt: number, context: ToolContext) => unknown,
  more: Partial<ToolOptions> = {},
) {
  return defineTool({
    name: 'act',
    description: 'Acts.',
    hints: { idempotent: true },
    retry,
    ...(more as object),
    handler: async (_params: unknown, context: ToolContext) => {
      context.session.dispatch(new Note(`attempt ${String(context.call.attempt)}`));
      return act(context.call.attempt, context);
    },
  });
}

const failUntil =
  (last: number, error: unknown = new Error('no connection')) =>
  (attempt: number) => {
    if (attempt < last) throw error;
    return 'done';
  };

describe('CALL-05 a tool with retry', () => {
  test('CALL-05 a tool with retry is tried again after a thrown error, each time in a transaction of its own, with one key and one event', async () => {
    const keys: string[] = [];
    const desk = await deskOf([
      flaky({ attempts: 3 }, (attempt, { call }) => {
        keys.push(call.idempotencyKey);
        return failUntil(3)(attempt);
      }),
    ]);
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: 'done' });
    expect(desk.state().notes).toEqual(['first', 'attempt 3']);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
    expect(desk.events).toHaveLength(1);
  });

  test('CALL-05 a tool with retry ends with the last failure once its attempts are used up', async () => {
    const desk = await deskOf([flaky({ attempts: 2 }, failUntil(9))]);
    expect(await desk.call('act')).toMatchObject({ kind: 'failed', effect: 'keyed' });
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.logged.filter(({ level }) => level === 'warn')).toHaveLength(2);
  });

  test('CALL-05 a tool with retry is tried again after its timeout', async () => {
    const act = (attempt: number): unknown => (attempt === 1 ? sleep(1_000) : 'done');
    const desk = await deskOf([flaky({ attempts: 2 }, act, { timeoutMs: 10 })]);
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: 'done' });
  });

  test.each<[string, () => unknown]>([
    ['a refusal', () => failUntil(9, new ToolRefusal('no'))(1)],
    ['a returned error', async () => (await import('toolwright')).ToolResult.error('no')],
    ['a wrong result', () => 7],
    ['a mistake of the developer', () => failUntil(9)],
  ])('CALL-05 a tool with retry is not tried again after %s', async (_name, act) => {
    let calls = 0;
    const count = (_attempt: number, { resources }: ToolContext): unknown => {
      calls++;
      if (_name.startsWith('a mistake')) resources.get(Map);
      return act();
    };
    const desk = await deskOf([flaky({ attempts: 3 }, count, { result: String })]);
    expect((await desk.call('act')).kind).toBe('failed');
    expect(calls).toBe(1);
  });

  test('CALL-05 a tool with retry asks `on` about the error; one that throws counts as no', async () => {
    const seen: unknown[] = [];
    const error = new Error('down');
    const wanted = (given: unknown): boolean => {
      seen.push(given);
      return seen.length < 2;
    };
    const desk = await deskOf([flaky({ attempts: 9, on: wanted }, failUntil(9, error))]);
    expect((await desk.call('act')).kind).toBe('failed');
    expect(seen).toEqual([error, error]);
    const throwing = (): boolean => {
      throw new Error('broken');
    };
    const broken = await deskOf([flaky({ attempts: 9, on: throwing }, failUntil(9))]);
    expect((await broken.call('act')).kind).toBe('failed');
    expect(broken.logged.map(({ message }) => message)).toContain('retry.on of act threw: broken');
  });

  test('CALL-05 a tool with retry waits twice as long before each further try, by the clock of the application', async () => {
    const waits: number[] = [];
    const clock = {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      sleep: async (milliseconds: number) => {
        waits.push(milliseconds);
        return Promise.resolve();
      },
    };
    const desk = await deskOf([flaky({ attempts: 4, backoffMs: 100 }, failUntil(9))], { clock });
    await desk.call('act');
    expect(waits).toEqual([100, 200, 400]);
  });

  test('CALL-05 a tool with retry does not wait past the deadline, and ends its wait when the caller aborts', async () => {
    const desk = await deskOf([flaky({ attempts: 2, backoffMs: 60_000 }, failUntil(9))]);
    expect((await desk.call('act', {}, { deadline: Deadline.in(2_000) })).kind).toBe('failed');
    const stop = new AbortController();
    const running = desk.call('act', {}, { signal: stop.signal });
    const reason = new Error('enough');
    setTimeout(() => {
      stop.abort(reason);
    }, 20);
    await expect(running).rejects.toBe(reason);
  });

  test.each<[string, ToolHints]>([
    ['no hints', {}],
    ['openWorld', { openWorld: true }],
    ['destructive', { destructive: true }],
  ])('E113 a tool with retry is refused with %s', async (_name, hints) => {
    const creation = deskOf([flaky({ attempts: 2 }, failUntil(2), { hints })]);
    await expect(creation).rejects.toMatchObject({ findings: [{ code: 'E113', toolName: 'act' }] });
  });

  test.each<[string, unknown]>([
    ['a number', 3],
    ['one attempt', { attempts: 1 }],
    ['eleven attempts', { attempts: 11 }],
    ['half an attempt', { attempts: 2.5 }],
    ['a wait below zero', { attempts: 2, backoffMs: -1 }],
    ['a wait of NaN', { attempts: 2, backoffMs: NaN }],
    ['a rule that is no function', { attempts: 2, on: 'always' }],
    ['a misspelt option', { attempts: 2, backOffMs: 5 }],
  ])('E312 a tool with retry is refused with %s', async (_name, retry) => {
    const creation = deskOf([flaky(retry as ToolRetry, failUntil(2))]);
    await expect(creation).rejects.toBeInstanceOf(PromptValidationError);
    await expect(creation).rejects.toMatchObject({ findings: [{ code: 'E312', placeholder: 'retry' }] });
  });
});
