import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline, defineTool, PromptEvaluationError, type ToolContext, TransactionClosedError } from 'toolwright';
import type { SlicePort } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import { deskOf, Ledger, Note, rejection, UNTOUCHED, writeBoth } from './desk';

// Jest fails a test during which a rejection goes unhandled; waiting past the late end of a handler is all that takes.

describe('a handler that exceeds its timeout', () => {
  test('HAND-07 a handler that exceeds its timeout is a failed result that says after how long, and its late writes are refused', async () => {
    const late: unknown[] = [];
    const attempt = (write: () => unknown): void => {
      try {
        late.push(write());
      } catch (error) {
        late.push(error);
      }
    };
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        timeoutMs: 20,
        handler: async (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          const { session, resources } = context;
          const notes: SlicePort<Note> = session.slice(Note);
          await sleep(60);
          attempt(() => context.session);
          attempt(() => context.now());
          attempt(() => session.dispatch(new Note('zombie')));
          attempt(() => notes.latest());
          attempt(() => notes.seed(new Note('zombie')));
          attempt(() => resources.get(Ledger));
          return 'too late';
        },
      }),
    ]);
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'timed_out', effect: 'unknown', result: { success: false, value: null } });
    expect(outcome.text).toContain('timed out after 20 ms');
    await sleep(80);
    expect(late).toHaveLength(6);
    for (const error of late) expect(error).toBeInstanceOf(TransactionClosedError);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ kind: 'timed_out', effect: 'unknown', toolMessage: outcome.text });
  });

  test('HAND-08 a handler may reject after its timeout: the rejection is handled', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        timeoutMs: 20,
        handler: async () => {
          await sleep(40);
          throw new Error('late');
        },
      }),
    ]);
    expect(await desk.call('act')).toMatchObject({ kind: 'timed_out' });
    await sleep(60);
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]?.kind).toBe('timed_out');
  });

  test('a read-only handler that exceeds its timeout has no effect, and its result says so', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'look',
        description: 'Looks.',
        timeoutMs: 10,
        hints: { readOnly: true },
        handler: () => sleep(30),
      }),
    ]);
    const outcome = await desk.call('look');
    expect(outcome).toMatchObject({ kind: 'timed_out', effect: 'none' });
    expect(desk.events[0]?.effect).toBe('none');
  });

  test('a handler that exceeds its timeout sees its signal abort', async () => {
    const seen: boolean[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        timeoutMs: 15,
        handler: async (_params: unknown, { signal }: ToolContext) => {
          seen.push(signal.aborted);
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve);
          });
          seen.push(signal.aborted);
        },
      }),
    ]);
    await desk.call('act');
    await sleep(1);
    expect(seen).toEqual([false, true]);
  });

  test('a handler that is in time is not delayed, and leaves no timer behind', async () => {
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    const desk = await deskOf([
      defineTool({ name: 'act', description: 'Acts.', timeoutMs: 60_000, handler: async () => 'in time' }),
    ]);
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: 'in time' });
    expect(clear).toHaveBeenCalled();
    clear.mockRestore();
  });

  test('a handler that exceeds its timeout counts only its own time, not the wait for its turn', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        timeoutMs: 50,
        handler: async () => {
          await sleep(30);
          return 'in time';
        },
      }),
    ]);
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'act', arguments: {} }));
    const outcomes = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });
});

describe('the deadline', () => {
  test('CANC-02 the deadline passes in the middle: signal, rollback, one event, PromptEvaluationError of phase tool', async () => {
    const seen: unknown[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: async (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          const { signal } = context;
          signal.addEventListener('abort', () => seen.push(signal.reason));
          await sleep(100, undefined, { signal }).catch(() => undefined);
        },
      }),
    ]);
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(980);
    const error = await rejection(desk.call('act', {}, { deadline }));
    expect(error).toBeInstanceOf(PromptEvaluationError);
    expect(error).toMatchObject({
      phase: 'tool',
      message: expect.stringContaining('The deadline passed while act was running.') as string,
    });
    expect(seen).toHaveLength(1);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ kind: 'timed_out', result: null, toolMessage: '' });
  });

  test.each([
    ['at the very moment', 1_000],
    ['long ago', 5_000],
  ])('a deadline that passed %s stops the call: phase tool, no handler, no event', async (_when, later) => {
    let runs = 0;
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => ++runs })]);
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(later);
    expect(await rejection(desk.call('act', {}, { deadline }))).toMatchObject({ phase: 'tool' });
    expect(runs).toBe(0);
    expect(desk.events).toEqual([]);
  });

  test('the deadline is checked after the arguments: wrong ones are reported even then', async () => {
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => 'ran' })]);
    const clock = new FakeClock();
    const deadline = Deadline.in(1_000, clock);
    clock.advance(1_000);
    expect(await desk.call('act', { wrong: 1 }, { deadline })).toMatchObject({ kind: 'rejected' });
  });

  test('the deadline does not affect a handler that has returned; the next call is stopped', async () => {
    const clock = new FakeClock();
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          clock.advance(5_000);
          return 'done';
        },
      }),
    ]);
    const deadline = Deadline.in(2_000, clock);
    expect(await desk.call('act', {}, { deadline })).toMatchObject({ kind: 'succeeded' });
    expect(desk.state()).toEqual({ notes: ['first', 'second'], lines: ['first', 'second'] });
    expect(await rejection(desk.call('act', {}, { deadline }))).toMatchObject({ phase: 'tool' });
  });

  test('further away than a timer reaches does not pass at once', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: async () => {
          await sleep(15);
          return 'done';
        },
      }),
    ]);
    const deadline = Deadline.in(100 * 24 * 3_600_000, new FakeClock());
    expect(await desk.call('act', {}, { deadline })).toMatchObject({ kind: 'succeeded', text: 'done' });
  });

  test('CANC-05 a clock that is set back does not lengthen a timeout', async () => {
    const clock = new FakeClock();
    const desk = await deskOf(
      [
        defineTool({
          name: 'act',
          description: 'Acts.',
          timeoutMs: 20,
          handler: async () => {
            clock.advance(-3_600_000);
            await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
          },
        }),
      ],
      { clock },
    );
    const startedAt = performance.now();
    expect(await desk.call('act')).toMatchObject({ kind: 'timed_out' });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
