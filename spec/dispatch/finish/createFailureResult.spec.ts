import {
  DeadlineExceededError,
  defineTool,
  Field,
  Param,
  PromptEvaluationError,
  ToolRefusal,
  ToolResult,
  ToolValidationError,
  VisibilityExpansionRequired,
  type ToolContext,
} from 'toolwright';
import { deskOf, Note, rejection, UNTOUCHED, writeBoth, type Desk } from '../desk';

// One test for each row of the failure table (docs/contract.md, 7). Every handler leaves a trace before it ends.

/** Expects exactly one event of the failure, and a state as if the call had never been made. */
function expectRolledBack(desk: Desk, kind: string, text: string): void {
  expect(desk.state()).toEqual(UNTOUCHED);
  expect(desk.events).toHaveLength(1);
  expect(desk.events[0]).toMatchObject({ kind, toolMessage: text, callId: expect.any(String) as string });
}

describe('a handler that returns a result', () => {
  test('a handler that returns a result returns ok: message and value for the model, everything is kept', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          return ToolResult.ok({ id: 7 }, 'Done.');
        },
      }),
    ]);
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'succeeded', text: 'Done.\n\n{"id":7}' });
    expect(desk.state()).toEqual({ notes: ['first', 'second'], lines: ['first', 'second'] });
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({
      kind: 'succeeded',
      name: 'act',
      renderedOutput: '{"id":7}',
      toolMessage: 'Done.\n\n{"id":7}',
    });
    expect(desk.events[0]).not.toHaveProperty('error');
    expect(desk.events[0]?.effect).toBeUndefined();
  });

  test.each([
    ['a plain value', { id: 7 }, '{"id":7}', { id: 7 }],
    ['a string', 'hello', 'hello', 'hello'],
    ['undefined', undefined, 'OK', null],
    ['null', null, 'OK', null],
    ['zero', 0, '0', 0],
    ['false', false, 'false', false],
  ])('a handler that returns a result returns %s, which becomes an ok result', async (_what, value, text, kept) => {
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => value })]);
    const outcome = await desk.call('act');
    expect(outcome.kind).toBe('succeeded');
    expect(outcome.text).toBe(text);
    expect(outcome.result.value).toEqual(kept);
  });

  test('HAND-11 a handler that returns a result returns ok with a value that violates the declared result: reported with paths, rolled back', async () => {
    class Line {
      @Field('Pieces') qty!: number;
    }
    class Order {
      @Field('Id') id!: string;
      @Field({ type: [Line] }) lines!: Line[];
    }
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        result: Order,
        handler: (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          return ToolResult.ok({ id: 'A', lines: [{ qty: 1 }, { qty: 'two' }] } as unknown as Order);
        },
      }),
    ]);
    const outcome = await desk.call('act');
    expect(outcome.kind).toBe('failed');
    expect(outcome.result).toMatchObject({ success: false, value: null });
    expect(outcome.text).toContain('lines[1].qty');
    expect(outcome.text).not.toContain('lines[0]');
    expectRolledBack(desk, 'failed', outcome.text);
  });

  test('HAND-11 null never violates a declared result', async () => {
    class Order {
      @Field('Id') id!: string;
    }
    const desk = await deskOf([
      defineTool({ name: 'act', description: 'Acts.', result: Order, handler: () => ToolResult.ok(null, 'None.') }),
    ]);
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: 'None.' });
  });

  test('HAND-25 a handler that returns a result returns success: false: its message and value, rolled back', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          return ToolResult.error('Too late.', { value: { since: 3 } });
        },
      }),
    ]);
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', text: 'Too late.\n\n{"since":3}' });
    expect(outcome.result).toMatchObject({ success: false, value: { since: 3 } });
    expectRolledBack(desk, 'failed', outcome.text);
  });
});

describe('a handler that throws', () => {
  const throwing = (thrown: unknown) =>
    deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'second');
          throw thrown;
        },
      }),
    ]);

  test('a ToolRefusal reads as if the handler returned success: false', async () => {
    const refusal = new ToolRefusal('Too late.', { value: { since: 3 } });
    const desk = await throwing(refusal);
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', text: 'Too late.\n\n{"since":3}', error: refusal });
    expect(outcome.result).toMatchObject({ success: false, value: { since: 3 } });
    expectRolledBack(desk, 'failed', outcome.text);
    expect(desk.events[0]?.error).toBe(refusal);
  });

  test('a ToolValidationError gives its message and issues, as a fault of the arguments', async () => {
    const error = new ToolValidationError('The order is closed.', {
      issues: [{ kind: 'constraint', path: 'items[2].qty', message: 'is more than was ordered' }],
    });
    const desk = await throwing(error);
    const outcome = await desk.call('act');
    expect(outcome.text).toContain('\n- arguments: The order is closed.\n- items[2].qty: is more than was ordered\n');
    expectRolledBack(desk, outcome.kind, outcome.text);
    expect(['failed', 'rejected']).toContain(outcome.kind);
  });

  test('TypeError: its name and its message', async () => {
    const error = new TypeError('order is undefined');
    const desk = await throwing(error);
    const outcome = await desk.call('act');
    expect(outcome.text).toContain('TypeError: order is undefined');
    expect(outcome).toMatchObject({ kind: 'failed', error });
    expectRolledBack(desk, 'failed', outcome.text);
  });

  test('HAND-01 Error: its message, without the stack, and the exception is in event and log', async () => {
    const error = new Error('boom');
    const desk = await throwing(error);
    const outcome = await desk.call('act');
    expect(outcome.text).toContain('act failed: boom');
    expect(outcome.text).not.toContain('    at ');
    expect(outcome.result).toMatchObject({ success: false, value: null });
    expectRolledBack(desk, 'failed', outcome.text);
    expect(desk.events[0]?.error).toBe(error);
    expect(desk.logged.filter(({ fields }) => fields?.['error'] === error)).toHaveLength(1);
  });

  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const unreadable = (): Error =>
    Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('unreadable');
      },
    });
  test.each<[string, unknown, string]>([
    ['a string', 'str', 'str'],
    ['a number', 42, '42'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['an object', { a: 1 }, 'an object'],
    ['an object with a message', { message: 'soft' }, 'soft'],
    ['an object without prototype', Object.create(null), 'an object'],
    ['null', null, 'null'],
    ['undefined', undefined, 'undefined'],
    ['a revoked proxy', revoked(), ''],
    ['an error whose message is no text', Object.assign(new Error('x'), { message: { code: 7 } }), ''],
    ['an error that cannot be read', unreadable(), ''],
  ])('HAND-02 a handler that throws %s has a failed result all the same', async (_what, thrown, told) => {
    const desk = await throwing(thrown);
    const outcome = await desk.call('act');
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toContain(`act failed: ${told}`);
    expectRolledBack(desk, 'failed', outcome.text);
    expect(Object.is(desk.events[0]?.error, thrown)).toBe(true);
  });

  test('HAND-26 DeadlineExceededError: nothing for the model, propagates as PromptEvaluationError of phase tool', async () => {
    const cause = new DeadlineExceededError();
    const desk = await throwing(cause);
    const error = await rejection(desk.call('act'));
    expect(error instanceof PromptEvaluationError).toBe(true);
    expect(error).toMatchObject({ phase: 'tool', cause });
    expect((error as Error).message).toContain('The deadline passed while act was running.');
    expectRolledBack(desk, 'timed_out', '');
    expect(desk.events[0]?.result).toBeNull();
  });

  test('HAND-26 VisibilityExpansionRequired: propagates unchanged', async () => {
    const signal = new VisibilityExpansionRequired({
      sectionKeys: ['orders'],
      reason: 'needs it',
      requestedOverrides: { orders: 'full' },
    });
    const desk = await throwing(signal);
    expect(await rejection(desk.call('act'))).toBe(signal);
    expectRolledBack(desk, 'expanded', '');
    expect(desk.events[0]?.result).toBeNull();
  });

  test('HAND-26 PromptEvaluationError: propagates unchanged', async () => {
    const error = new PromptEvaluationError('The nested run failed.', { phase: 'response' });
    const desk = await throwing(error);
    expect(await rejection(desk.call('act'))).toBe(error);
    expectRolledBack(desk, 'failed', '');
    expect(desk.events[0]).toMatchObject({ result: null, error });
    expect(desk.logged).toEqual([]);
  });

  test('HAND-26 PromptEvaluationError: propagates also where what the call has read was changed from outside', async () => {
    const error = new PromptEvaluationError('The nested run failed.', { phase: 'response' });
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, { session }: ToolContext) => {
          session.slice(Note).all();
          desk.session.dispatch(new Note('outside'));
          throw error;
        },
      }),
    ]);
    expect(await rejection(desk.call('act'))).toBe(error);
  });
});

describe('a tool without handler', () => {
  test('a tool without handler throws PromptEvaluationError of phase tool, with one event', async () => {
    class Params {
      @Param('Id') id!: string;
    }
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', params: Params, handler: null })]);
    const error = await rejection(desk.call('act', { id: 'A' }));
    expect(error).toBeInstanceOf(PromptEvaluationError);
    expect(error).toMatchObject({
      phase: 'tool',
      code: 'E601',
      message: expect.stringContaining('The tool act has no handler; it only advertises.') as string,
    });
    expectRolledBack(desk, 'failed', '');
    expect(desk.rendered.tool('act')?.handler).toBeNull();
  });
});

describe('a reducer that throws inside the call', () => {
  class Booked {
    constructor(readonly id: string) {}
  }
  const bookedDesk = async (handler: (context: ToolContext) => unknown): Promise<Desk> => {
    const desk = await deskOf([
      defineTool({ name: 'act', description: 'Acts.', handler: (_params: unknown, context) => handler(context) }),
    ]);
    desk.session.slice(Note).register(Booked, (_view, { id }) => ({ kind: 'append', value: new Note(id) }));
    desk.session.slice(Booked).register(Booked, () => {
      throw new RangeError('no such seat');
    });
    return desk;
  };

  test('a reducer that throws fails the call and rolls it back, reducers before it included', async () => {
    const desk = await bookedDesk((context) => {
      writeBoth(context, 'second');
      context.session.dispatch(new Booked('12A'));
    });
    const outcome = await desk.call('act');
    expect(outcome.text).toContain('no such seat');
    expect(outcome.kind).toBe('failed');
    expectRolledBack(desk, 'failed', outcome.text);
  });

  test('a reducer that throws fails the call even when the handler swallows the error', async () => {
    const desk = await bookedDesk((context) => {
      try {
        context.session.dispatch(new Booked('12A'));
      } catch {
        return 'never mind';
      }
      return 'booked';
    });
    const outcome = await desk.call('act');
    expect(outcome.kind).toBe('failed');
    expectRolledBack(desk, 'failed', outcome.text);
  });
});
