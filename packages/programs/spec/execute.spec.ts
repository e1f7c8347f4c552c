import { setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  Budget,
  BudgetTracker,
  Deadline,
  defineTool,
  Param,
  ToolRefusal,
  ToolResult,
  ToolValidationError,
  type Snapshotable,
} from 'toolwright';
import { Note, UNTOUCHED } from '../../../spec/dispatch/desk';
import { act, engineOfFile, kitOf, loginWith, PATIENCE_MS, writer } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

const boom = act('boom', () => {
  throw new Error('boom');
});

describe('an atomic program', () => {
  test('an atomic program keeps everything that its calls changed', async () => {
    const { desk, kit } = await kitOf([writer('one'), writer('two')], { sandbox });
    const result = await kit.execute('await one();\nreturn await two();');
    expect(result).toMatchObject({ success: true, status: 'completed', returnValue: 'two', error: null, attempts: 1 });
    expect(desk.state()).toEqual({ notes: ['first', 'one', 'two'], lines: ['first', 'one', 'two'] });
    expect(result.toolCalls.map(({ rolledBack }) => rolledBack)).toEqual([undefined, undefined]);
  });

  test('a program that throws rolls back session and resources, and says so', async () => {
    const { desk, kit } = await kitOf([writer('one')], { sandbox });
    const result = await kit.execute('console.log("begun");\nawait one();\nthrow new Error("no");');
    expect(result).toMatchObject({ success: false, status: 'failed', output: 'begun\n' });
    expect(result.error).toMatchObject({ kind: 'thrown', name: 'Error', message: 'no', line: 3, hint: null });
    expect(result.toolCalls).toMatchObject([{ name: 'one', status: 'ok', rolledBack: true }]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(result.toModelText()).toContain('Everything that its tool calls had changed was taken back.');
    expect(result.toModelText()).toContain('Output:\nbegun');
  });

  test('a program may catch the failure of a call, whose own changes alone are rolled back', async () => {
    const half = act('half', (context) => {
      context.session.dispatch(new Note('half'));
      throw new ToolRefusal('not now');
    });
    const { desk, kit } = await kitOf([writer('one'), half], { sandbox });
    const result = await kit.execute(
      'await one();\ntry { await half() } catch (error) { console.log(error.name, error.message) }',
    );
    expect(result).toMatchObject({ success: true, output: 'ToolError not now\n' });
    expect(result.toolCalls).toMatchObject([{ status: 'ok' }, { name: 'half', status: 'error', error: 'not now' }]);
    expect(desk.state().notes).toEqual(['first', 'one']);
  });

  test('an atomic program gets what a handler has against its arguments as the message of an error, in one line', async () => {
    const issues = [
      { kind: 'constraint', path: 'items[2].qty', message: 'is more than was ordered' },
      { kind: 'constraint', path: 'day', message: 'is over' },
    ] as const;
    const closed = act('closed', () => {
      throw new ToolValidationError('The order is closed.', { issues });
    });
    const { kit } = await kitOf([closed], { sandbox });
    expect((await kit.execute('return await closed().catch(({ message }) => message)')).returnValue).toBe(
      'The order is closed.; items[2].qty: is more than was ordered; day: is over',
    );
  });

  test('an atomic program takes back what was changed in place', async () => {
    class Drawer implements Snapshotable<readonly string[]> {
      readonly reads = ['list'];
      papers: readonly string[] = ['letter'];

      put(paper: string): void {
        this.papers = [...this.papers, paper];
      }

      list(): readonly string[] {
        return this.papers;
      }

      snapshot(): readonly string[] {
        return this.papers;
      }

      restore(papers: readonly string[]): void {
        this.papers = papers;
      }
    }
    const drawer = new Drawer();
    const put = act('put', (context) => {
      context.resources.get(Drawer).put('bill');
    });
    const list = act('list', (context) => context.resources.get(Drawer).list(), { hints: { readOnly: true } });
    const { kit } = await kitOf([put, list], { sandbox, desk: { resources: [bind(Drawer, { value: drawer })] } });
    const failed = await kit.execute('await put();\nconsole.log((await list()).join());\nthrow null');
    expect(failed).toMatchObject({ output: 'letter,bill\n', error: { kind: 'thrown', message: 'null' } });
    expect(drawer.papers).toEqual(['letter']);
    await kit.execute('await put()');
    expect(drawer.papers).toEqual(['letter', 'bill']);
  });

  test('an atomic program is rolled back when the state that it read was changed from outside', async () => {
    const count = act('count', (context) => context.session.slice(Note).all().length, { hints: { readOnly: true } });
    const meddle = act('meddle', () => {
      session().dispatch(new Note('from outside'));
    });
    const { desk, kit } = await kitOf([count, meddle, writer('one')], { sandbox });
    const session = (): typeof desk.session => desk.session;
    const result = await kit.execute('const before = await count();\nawait meddle();\nawait one();\nreturn before;');
    expect(result).toMatchObject({ success: false, status: 'failed', returnValue: undefined });
    expect(result.error?.message).toContain('changed by another request');
    expect(desk.state()).toEqual({ notes: ['first', 'from outside'], lines: ['first'] });
    expect(result.toolCalls.every(({ rolledBack }) => rolledBack)).toBe(true);
  });

  test('an atomic program publishes one event for itself, after those of its calls, which name it', async () => {
    const { desk, kit } = await kitOf([writer('one'), boom], { sandbox });
    await kit.execute('await one();\nawait boom().catch(() => null);');
    const [one, failed, program] = desk.events;
    expect(desk.events.map(({ name, kind, caller }) => [name, kind, caller])).toEqual([
      ['one', 'succeeded', 'program'],
      ['boom', 'failed', 'program'],
      ['execute_program', 'succeeded', 'direct'],
    ]);
    expect([one?.parentCallId, failed?.parentCallId]).toEqual([program?.callId, program?.callId]);
    expect(program?.parentCallId).toBeUndefined();
    expect([one?.callId, failed?.callId]).toEqual([`${program?.callId}.1`, `${program?.callId}.2`]);
  });

  test('a handler knows that a program calls it, and in which call', async () => {
    const who = act('who', ({ call }) => [call.caller, call.id, call.parentCallId]);
    const { kit } = await kitOf([who], { sandbox });
    const { returnValue } = await kit.execute('await who()');
    const [caller, id, parent] = returnValue as readonly string[];
    expect([caller, id]).toEqual(['program', `${parent}.1`]);
  });

  test('an atomic program counts its calls, and itself, in the budget of the run', async () => {
    const budget = new BudgetTracker(new Budget({ maxToolCalls: 10 }));
    const { kit } = await kitOf([writer('one')], { sandbox });
    await kit.execute('await one(); await one();', { budget });
    expect(budget.toolCalls).toBe(3);
  });

  test('an atomic program makes its calls although another limit of the budget is just reached', async () => {
    const budget = new BudgetTracker(new Budget({ maxToolCalls: 10, maxTotalTokens: 5 }));
    budget.record('a run', { totalTokens: 5 });
    const { kit } = await kitOf([writer('one')], { sandbox });
    expect(await kit.execute('return await one();', { budget })).toMatchObject({ success: true, returnValue: 'one' });
  });

  test('an atomic program makes no call that the budget of the run does not allow', async () => {
    const outer = act('outer', (context) => context.callTool({ id: 'inner', name: 'one', arguments: {} }));
    const { desk, kit } = await kitOf([writer('one'), outer], { sandbox });
    const run = (code: string, atMost: number) => {
      const budget = new BudgetTracker(new Budget({ maxToolCalls: atMost }));
      return kit.execute(code, { budget }).then((result) => ({ ...result, counted: budget.toolCalls }));
    };
    const spent = 'This run allows 3 tool calls, and has had 3.';
    const failed = await run('await one();\nawait one();\nawait one();', 3);
    expect(failed).toMatchObject({ status: 'failed', counted: 3, error: { kind: 'denied', message: spent, line: 3 } });
    expect(failed.toolCalls.map(({ status }) => status)).toEqual(['ok', 'ok', 'denied']);
    expect(desk.state()).toEqual(UNTOUCHED);
    const together =
      'await Promise.allSettled([one(), one(), one(), one()]).then((all) => all.map(({ status }) => status))';
    expect((await run(together, 3)).returnValue).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    const byHandler = await run('const { kind, text } = await outer();\nreturn [kind, text];', 2);
    expect(byHandler.returnValue).toEqual(['denied', expect.stringContaining('allows 2 tool calls, and has had 2')]);
  });
});

describe('a program that is not atomic', () => {
  test('a program that is not atomic keeps what its calls changed, whatever its result', async () => {
    const { desk, kit } = await kitOf([writer('one'), writer('two')], { sandbox, atomic: false });
    const result = await kit.execute('await one();\nthrow new TypeError("no");');
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'type', message: 'no' } });
    expect(result.toolCalls).toMatchObject([{ name: 'one', status: 'ok' }]);
    expect(result.toolCalls[0]).not.toHaveProperty('rolledBack');
    expect(desk.state()).toEqual({ notes: ['first', 'one'], lines: ['first', 'one'] });
    expect(result.toModelText()).toContain('What these calls changed stays: one.');
    expect(desk.events.map(({ name, parentCallId }) => [name, parentCallId])).toEqual([['one', undefined]]);
  });
});

describe('calls that are made together', () => {
  test('calls that are made together run together when they only read, and in the order of their starts otherwise', async () => {
    const log: string[] = [];
    let running = 0;
    let most = 0;
    const timed = (name: string, ms: number, readOnly: boolean) =>
      act(
        name,
        async () => {
          log.push(`${name} begins`);
          most = Math.max(most, ++running);
          await sleep(ms);
          running--;
          log.push(`${name} ends`);
          return name;
        },
        { hints: { readOnly } },
      );
    const { kit } = await kitOf([timed('read', 20, true), timed('look', 5, true), timed('write', 5, false)], {
      sandbox,
    });
    const { returnValue } = await kit.execute('await Promise.all([read(), look(), write(), look(), write()])');
    expect(returnValue).toEqual(['read', 'look', 'write', 'look', 'write']);
    expect(log.slice(0, 2)).toEqual(['read begins', 'look begins']);
    expect(log.slice(4)).toEqual([
      ...['write begins', 'write ends', 'look begins', 'look ends', 'write begins', 'write ends'],
    ]);
    expect(most).toBe(2);
  });

  test('parallel calls never see half of the changes of another one', async () => {
    const twice = act('twice', async (context) => {
      context.session.dispatch(new Note('a'));
      await sleep(10);
      context.session.dispatch(new Note('b'));
    });
    const count = act('count', (context) => context.session.slice(Note).all().length, { hints: { readOnly: true } });
    const { kit } = await kitOf([twice, count], { sandbox });
    const { returnValue } = await kit.execute(
      'const [before, , after] = await Promise.all([count(), twice(), count()]);\n[before, after]',
    );
    expect(returnValue).toEqual([1, 3]);
  });
});

describe('values and functions in a program', () => {
  test('a call returns the value of a result, or what it says where there is none', async () => {
    class Row {
      constructor(
        readonly id: number,
        readonly note: string | null,
      ) {}
    }
    const tools = [
      act('row', () => new Row(1, null)),
      act('words', () => ToolResult.ok(undefined, 'Done as asked.')),
      act('nothing', () => undefined),
      act('empty', () => null),
      act('text', () => ToolResult.ok('plain', 'A message')),
    ];
    const { kit } = await kitOf(tools, { sandbox });
    const { returnValue } = await kit.execute(
      '[await row(), await words(), await nothing(), await empty(), await text()]',
    );
    expect(returnValue).toEqual([{ id: 1, note: null }, 'Done as asked.', null, null, 'plain']);
  });

  test.each([
    ['await add(1, 2)', 3],
    ['await add({ a: 1, b: 2 })', 3],
    ['await tools.add(1, 2)', 3],
    ['await tools["get-sum"](2, 2)', 4],
    ['await get_sum({ a: 2, b: 2 })', 4],
    ['await add(1)', 1],
  ])('a program takes arguments by name or in order: %s', async (code, expected) => {
    class Pair {
      @Param('a') a!: number;
      @Param({ description: 'b', default: 0 }) b = 0;
    }
    const handler = ({ a, b }: Pair): number => a + b;
    const tools = ['add', 'get-sum'].map((name) => defineTool({ name, description: 'Adds.', params: Pair, handler }));
    const { kit } = await kitOf(tools, { sandbox });
    expect((await kit.execute(code)).returnValue).toBe(expected);
  });

  test('a program refuses arguments of the wrong kind, without conversion even where the application converts', async () => {
    class Pair {
      @Param('a') a!: number;
    }
    const double = defineTool({ name: 'double', description: 'Doubles.', params: Pair, handler: ({ a }) => a * 2 });
    const { kit, desk } = await kitOf([double], { sandbox, desk: { coerce: true } });
    expect((await desk.call('double', { a: '2' })).text).toBe('4');
    const result = await kit.execute('await double({ a: "2" })');
    expect(result.error).toMatchObject({ kind: 'type', name: 'ToolError', line: 1 });
    expect(result.error?.message).toBe(
      'The arguments of double were not accepted: a: expected a number, got the string "2"',
    );
    expect((await kit.execute('await double(1, 2, 3)')).error).toMatchObject({
      kind: 'type',
      message: 'The arguments of double were not accepted: it takes the arguments a, and got 3 of them',
    });
    expect((await kit.execute('await double(1, 2, 3)')).toolCalls).toMatchObject([{ args: { a: 1, 1: 2, 2: 3 } }]);
  });

  test('secret arguments are hidden from the log of a program', async () => {
    const login = loginWith(({ key }) => `in with ${key}`);
    const { kit } = await kitOf([login], { sandbox });
    const { toolCalls } = await kit.execute('await login({ key: "s3cr3t-key" })');
    expect(JSON.stringify(toolCalls)).not.toContain('s3cr3t-key');
  });

  test('lists of calls hold copies', async () => {
    const given = { deep: { list: [1] } };
    const { kit } = await kitOf([act('give', () => given)], { sandbox });
    const { toolCalls } = await kit.execute('const got = await give();\ngot.deep.list.push(2);\nawait give();');
    (toolCalls[0]?.result as typeof given).deep.list.push(3);
    expect(toolCalls[1]?.result).toEqual({ deep: { list: [1] } });
    expect(given).toEqual({ deep: { list: [1] } });
  });
});

describe('the end of a program', () => {
  test('SBX-03 the end of a program cancels calls that are not awaited, and rolls them back', async () => {
    const aborted: boolean[] = [];
    const slow = act('slow', async (context) => {
      context.session.dispatch(new Note('slow'));
      context.signal.addEventListener('abort', () => aborted.push(true));
      await sleep(10_000, undefined, { ref: false });
    });
    const { desk, kit } = await kitOf([slow, writer('one')], { sandbox });
    // A call that arrives together with the end does not begin.
    const wait = 'await sleep(200);';
    const result = await kit.execute(`await one();\nslow();\n${wait}\nreturn "done";`);
    expect(result).toMatchObject({ success: true, returnValue: 'done' });
    expect(result.toolCalls).toMatchObject([
      { name: 'one', status: 'ok' },
      { name: 'slow', status: 'cancelled' },
    ]);
    expect(aborted).toEqual([true]);
    expect(desk.state().notes).toEqual(['first', 'one']);
  });

  test('SBX-03 the end of a program lists calls that arrive with the end of the program as cancelled', async () => {
    const { kit } = await kitOf([act('give', () => null)], { sandbox });
    const { status, toolCalls } = await kit.execute('for (let i = 0; i < 300; i++) give();\nreturn "done";');
    expect(status).toBe('completed');
    expect(toolCalls).toHaveLength(300);
    expect(toolCalls.filter(({ status }) => status === 'cancelled').length).toBeGreaterThan(0);
  });

  test('a program that exceeds its time is rolled back, and the engine stays usable', async () => {
    const { desk, kit } = await kitOf([writer('one')], { sandbox, timeoutMs: 300 });
    const result = await kit.execute('await one();\nfor (;;) {}');
    expect(result).toMatchObject({ status: 'timed_out', success: false, error: { kind: 'timeout' } });
    expect(result.error?.hint).toMatch(/loop/);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(await kit.execute('await one()')).toMatchObject({ success: true });
  });

  test('an end by the caller is a result, too', async () => {
    const { desk, kit } = await kitOf([writer('one'), act('wait', () => sleep(5_000, undefined, { ref: false }))], {
      sandbox,
    });
    const controller = new AbortController();
    const result = await kit.execute('await one();\nawait wait();', {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.kind === 'tool_start' && event.call.name === 'wait') controller.abort();
      },
    });
    expect(result).toMatchObject({ status: 'cancelled', error: { kind: 'cancelled' } });
    expect(result.toolCalls).toMatchObject([{ status: 'ok', rolledBack: true }, { status: 'cancelled' }]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(await kit.execute('1', { signal: AbortSignal.abort() })).toMatchObject({
      status: 'cancelled',
      toolCalls: [],
    });
  });

  test('an end by the deadline of the run counts as time', async () => {
    for (const atomic of [true, false]) {
      const { kit } = await kitOf([act('wait', () => sleep(10_000, undefined, { ref: false }))], { sandbox, atomic });
      const result = await kit.execute('await wait()', { deadline: Deadline.in(1_000) });
      expect(result).toMatchObject({ status: 'timed_out', error: { kind: 'timeout' } });
      const computing = await kit.execute('for (;;) {}', { deadline: Deadline.in(1_000) });
      expect(computing).toMatchObject({ status: 'timed_out', error: { kind: 'timeout' } });
    }
  });

  test.each([
    ['for (let i = 0; i < 9; i++) await one()', { maxCalls: 5 }, 'limit'],
    ['await Promise.all(Array.from({ length: 9 }, () => one()))', { maxConcurrency: 3 }, 'limit'],
    ['const all = []; for (;;) all.push(new Array(10_000).fill(1.5))', { memoryMb: 16 }, 'memory'],
    ['(function deeper() { return 1 + deeper() })()', {}, 'thrown'],
  ])('the program %s ends at the limit %o', async (code, limits, kind) => {
    const { desk, kit } = await kitOf([writer('one')], { sandbox, ...limits });
    expect(await kit.execute(code)).toMatchObject({ status: 'failed', error: { kind } });
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('the end of a program cuts what is written beyond its limit, and says where', async () => {
    const { kit } = await kitOf([], { sandbox, maxOutputBytes: 1_000 });
    const result = await kit.execute(
      'for (let i = 0; i < 1_000; i++) console.log("line", i);\nArray.from({ length: 2_000 }, (_, i) => i)',
    );
    expect(result.success).toBe(true);
    expect(result.output.length).toBeLessThan(1_300);
    expect(result.output).toMatch(/1000|1,000/);
    const text = result.toModelText();
    expect(text).toContain('shown up to 1000 characters');
    expect(text).toContain('more items');
    expect(text.length).toBeLessThan(3_500);
  });
});
