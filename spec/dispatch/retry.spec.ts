import { setTimeout as sleep } from 'node:timers/promises';
import { Transform } from 'class-transformer';
import { bind, Deadline, defineTool, Param, type ToolContext, type ToolHints, type Transactional } from 'toolwright';
import { allow, type ToolPolicy } from 'toolwright/policies';
import { FakeClock } from 'toolwright/testing';
import type { ToolRetry } from 'toolwright/types';
import { deskOf, Note, rejection } from './desk';

class Wanted {
  @Param({ type: [String] }) list!: string[];
}
const slow = (hints: ToolHints, act: (params: Wanted, context: ToolContext) => unknown) =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    params: Wanted,
    hints,
    handler: async (params, context) => {
      context.session.slice(Note).all();
      const answer = act(params, context);
      await sleep(10);
      return answer;
    },
  });

describe('a call that met a change from outside', () => {
  test.each<[string, ToolHints]>([
    ['read-only', { readOnly: true }],
    ['idempotent', { idempotent: true }],
  ])(
    'a call runs once more if the tool is %s, with the number of the attempt, and publishes one event',
    async (_which, hints) => {
      const attempts: number[] = [];
      const desk = await deskOf([
        slow(hints, (_params, { call, session }) => {
          attempts.push(call.attempt);
          return session.slice(Note).all().length;
        }),
      ]);
      const running = desk.call('act', { list: [] });
      desk.session.dispatch(new Note('outside'));
      expect(await running).toMatchObject({ kind: 'succeeded', text: '2' });
      expect(attempts).toEqual([1, 2]);
      expect(desk.events).toHaveLength(1);
      expect(desk.events[0]?.kind).toBe('succeeded');
    },
  );

  test('a call that met a change from outside runs once only if the tool is neither', async () => {
    let runs = 0;
    const desk = await deskOf([slow({ destructive: true }, () => ++runs)]);
    const running = desk.call('act', { list: [] });
    desk.session.dispatch(new Note('outside'));
    expect(await running).toMatchObject({ kind: 'conflicted' });
    expect(runs).toBe(1);
  });

  test('a call that met a change from outside gets its arguments as they were sent, whatever the first attempt did with them', async () => {
    const seen: string[] = [];
    const desk = await deskOf([
      slow({ idempotent: true }, ({ list }) => {
        seen.push(list.join());
        list.push('more');
      }),
    ]);
    const running = desk.call('act', { list: ['a'] });
    desk.session.dispatch(new Note('outside'));
    await running;
    expect(seen).toEqual(['a', 'a']);
  });

  test('a retried call has a context of its own each time: the first one is closed', async () => {
    const contexts: ToolContext[] = [];
    const desk = await deskOf([
      slow({ idempotent: true }, (_params, context) => {
        contexts.push(context);
      }),
    ]);
    const running = desk.call('act', { list: [] });
    desk.session.dispatch(new Note('outside'));
    await running;
    expect(contexts).toHaveLength(2);
    expect(contexts[0]).not.toBe(contexts[1]);
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(contexts[1]?.signal.aborted).toBe(false);
  });
});

describe('a call of a tool with retry', () => {
  const hints = { idempotent: true };
  /** A tool that counts its runs, each of which does what the number of the attempt asks for. */
  const counted = (retry: ToolRetry, act: (attempt: number) => unknown, policies: readonly ToolPolicy[] = []) => {
    let runs = 0;
    const handler = (): unknown => act(++runs);
    return {
      tool: defineTool({ name: 'act', description: 'Acts.', hints, retry, policies, handler }),
      runs: () => runs,
    };
  };
  const failing = (): never => {
    throw new Error('boom');
  };

  test('a call of a tool with retry ends with its first success, and pauses for no backoff of zero', async () => {
    const clock = new FakeClock();
    const { tool, runs } = counted({ attempts: 5, backoffMs: 0 }, (run) => (run < 3 ? failing() : 'done'));
    const desk = await deskOf([tool], { clock });
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: 'done' });
    expect([runs(), clock.slept]).toEqual([3, []]);
  });

  test('a denial ends it, also that of a policy that throws', async () => {
    const attempts: number[] = [];
    const check: ToolPolicy['check'] = (_call, { call }) => {
      attempts.push(call.attempt);
      return call.attempt === 1 ? allow : failing();
    };
    const { tool, runs } = counted({ attempts: 4 }, failing, [{ name: 'once', check }]);
    expect((await (await deskOf([tool])).call('act')).kind).toBe('denied');
    expect([runs(), attempts]).toEqual([1, [1, 2]]);
  });

  test('E913 a resource that could not begin is tried again', async () => {
    let begun = 0;
    class Flaky implements Transactional<Flaky> {
      begin(): Flaky {
        return ++begun === 1 ? failing() : new Flaky();
      }
      commit(): void {
        // Nothing to keep.
      }
    }
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      hints,
      retry: { attempts: 2 },
      handler: (_params: unknown, { resources }: ToolContext) => String(resources.get(Flaky) instanceof Flaky),
    });
    const desk = await deskOf([act], { resources: [bind(Flaky, { value: new Flaky() })] });
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: 'true' });
    expect(begun).toBe(2);
  });

  test('a pause that would last to the very deadline is not begun', async () => {
    const clock = new FakeClock();
    const { tool, runs } = counted({ attempts: 2, backoffMs: 1_000 }, failing);
    const desk = await deskOf([tool], { clock });
    expect((await desk.call('act', {}, { deadline: Deadline.in(1_000, clock) })).kind).toBe('failed');
    expect([runs(), clock.slept]).toEqual([1, []]);
  });

  test('a pause that is cut off by the deadline is given up, and the error says when', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    class Slow extends FakeClock {
      override sleep(_milliseconds: number, signal?: AbortSignal): Promise<void> {
        signals.push(signal);
        return new Promise(() => undefined);
      }
    }
    const clock = new Slow();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(970);
    const desk = await deskOf([counted({ attempts: 2, backoffMs: 10 }, failing).tool], { clock });
    expect(await rejection(desk.call('act', {}, { deadline }))).toMatchObject({
      code: 'E605',
      message: expect.stringContaining('The deadline passed while act was running.') as string,
    });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  test('arguments that are refused when they are read again end it with the failure before', async () => {
    let refuses = false;
    let runs = 0;
    class Fickle {
      @Transform(({ value }: { readonly value: unknown }) => (refuses ? failing() : value))
      @Param('Text')
      text!: string;
    }
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      hints,
      retry: { attempts: 3 },
      params: Fickle,
      handler: ({ text }) => {
        runs++;
        refuses = true;
        throw new Error(`no ${text}`);
      },
    });
    const outcome = await (await deskOf([act])).call('act', { text: 'tea' });
    expect(outcome).toMatchObject({ kind: 'failed', text: expect.stringContaining('no tea') as string });
    expect(runs).toBe(1);
  });
});

describe('retry.on', () => {
  const failing = (on: (error: unknown) => unknown) => {
    let runs = 0;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      hints: { idempotent: true },
      retry: { attempts: 3, backoffMs: 0, on: on as (error: unknown) => boolean },
      handler: () => {
        runs++;
        throw new Error('boom');
      },
    });
    return { tool, runs: () => runs };
  };

  test.each<[what: string, on: () => unknown, told: string]>([
    ['a number', () => 1, 'gave the number 1 in place of true or false'],
    ['nothing', () => undefined, 'gave undefined in place of true or false'],
    ['a promise', () => Promise.resolve(true), 'in place of true or false'],
    ['a promise that rejects', () => Promise.reject(new Error('no')), 'in place of true or false'],
    [
      'an error',
      () => {
        throw new Error('no');
      },
      'threw: no',
    ],
  ])('a retry.on that gives %s repeats nothing, and is logged', async (_what, on, told) => {
    const { tool, runs } = failing(on);
    const desk = await deskOf([tool]);
    expect(await desk.call('act', {})).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('boom') as string,
    });
    expect(runs()).toBe(1);
    expect(desk.logged).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('retry.on of act ') as string }),
    );
    expect(desk.logged.map(({ message }) => message).join()).toContain(told);
  });

  test.each([
    [true, 3],
    [false, 1],
  ])('a retry.on that says %p lets the handler run %i times', async (wanted, times) => {
    const { tool, runs } = failing(() => wanted);
    const desk = await deskOf([tool]);
    await desk.call('act', {});
    expect(runs()).toBe(times);
  });
});
