import { QuickJsSandbox } from '../../src/sandbox/QuickJsSandbox.js';
import { limits, runIn, valueOf } from './running';

const never = (): Promise<never> => new Promise(() => undefined);

describe('QuickJsSandbox', () => {
  const sandbox = new QuickJsSandbox({ workers: 2, maxPrograms: 3 });
  afterAll(() => sandbox.close());

  test.each([
    ['while (true) {}', { wallMs: 200 }, 'wall'],
    ['function f() { return f() + 1; } f();', {}, 'RangeError'],
    ["'x'.repeat(2 ** 30)", {}, 'RangeError'],
    ["let s = 'x'; for (;;) s += s;", {}, 'memory|InternalError'],
    ['new Array(1e9).fill(1)', {}, 'memory|wall'],
    ["/^(a+)+$/.test('a'.repeat(60) + '!')", { wallMs: 200 }, 'wall'],
    ['(function f() { Promise.resolve().then(f); })(); await sleep(1e9)', { wallMs: 200 }, 'wall'],
    ['for (;;) {}', { cpuMs: 200 }, 'cpu'],
    ["JSON.parse('['.repeat(1e6))", {}, 'RangeError|SyntaxError'],
    ['new Uint8Array(2 ** 31)', {}, 'memory|RangeError'],
  ])('SBX-02 %s ends within its limits', async (body, some, ends) => {
    const { end } = await runIn(sandbox, body, some);
    expect(ends.split('|')).toContain(
      end.kind === 'exceeded' ? end.limit : end.kind === 'threw' ? end.error.name : end.kind,
    );
    expect(valueOf(await runIn(sandbox, 'return 1;'))).toBe(1);
  });

  test('SBX-02 native operations, which ignore the interrupt, are ended by force, and what was written before is kept', async () => {
    const body = "console.log('before'); 'a'.repeat(4e6).indexOf('a'.repeat(2e6) + 'b');";
    const { end, output } = await runIn(sandbox, body, { wallMs: 200 });
    expect([end, output]).toEqual([{ kind: 'exceeded', limit: 'wall' }, 'before\n']);
    expect(valueOf(await runIn(sandbox, 'return 1;'))).toBe(1);
  });

  test('SBX-03 calls beyond the limit end the program, and none of them runs', async () => {
    const tools = { add: () => 1 };
    const { end, calls } = await runIn(sandbox, 'for (let i = 0; i < 10000; i++) await add({ i });', {
      tools,
      maxCalls: 50,
    });
    expect(end).toEqual({ kind: 'exceeded', limit: 'calls', line: 1 });
    expect(calls).toHaveLength(50);
  });

  test('a call knows its line: made directly, deep in others, in callbacks, by parallel, and after a wait', async () => {
    const body = `
      await tool();
      const deep = (depth) => (depth === 0 ? tool() : deep(depth - 1));
      await deep(40);
      await Promise.all([1, 2].map(() =>
        tool()));
      await parallel([tool, 1], [tool, 2]);
      const before = Error.stackTraceLimit;
      try {
        await fails();
      } catch (error) {
        return [error.stack.includes('program.js:10:'), Error.stackTraceLimit === before, typeof new Error().stack];
      }`;
    const fails = (): never => {
      throw new Error('no');
    };
    const heard = await runIn(sandbox, body, { tools: { tool: () => 1, fails } });
    expect(valueOf(heard)).toEqual([true, true, 'string']);
    expect(heard.calls.map(({ line }) => line)).toEqual([2, 3, 6, 6, 7, 7, 10]);
  });

  test('SBX-03 calls that are not awaited are cancelled at the end', async () => {
    const { end, signals } = await runIn(sandbox, "never(1); return 'done';", { tools: { never } });
    expect(end.kind).toBe('completed');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('SBX-03 nothing is called after the end, though the guest continues for a while', async () => {
    const body =
      "(async () => { for (let i = 0; i < 50; i++) await i; await tool(); console.log('late'); })(); return 1;";
    const { calls, output } = await runIn(sandbox, body, { tools: { tool: () => 1 } });
    expect([calls, output]).toEqual([[], '']);
  });

  test.each([
    ['() => 1', 'the argument "0" is not a JSON value: [Function ]'],
    ['{ f() {} }', 'the argument "f" is not a JSON value: [Function f]'],
    ['{ a: new Map() }', 'the argument "a" is not a JSON value: Map {}'],
    ['{ a: [NaN] }', 'the argument "0" is not a JSON value: NaN'],
    ['{ a: 1n }', 'the argument "a" is not a JSON value: 1n'],
    ['{ a: echo({}) }', 'the argument "a" is a promise: write await before it'],
  ])('SBX-03 %s is refused as an argument', async (argument, message) => {
    const tools = { echo: () => 1 };
    const heard = await runIn(sandbox, `await echo(${argument});`, { tools });
    expect(heard.end).toMatchObject({ kind: 'threw', error: { name: 'TypeError', message, line: 1 } });
  });

  test('SBX-03 a Proxy crosses as what it shows', async () => {
    const tools = { echo: ([given]: readonly unknown[]) => given };
    const body = 'return await echo(new Proxy({ a: 1 }, { get: (t, k) => (k === "a" ? 2 : t[k]) }));';
    expect(valueOf(await runIn(sandbox, body, { tools }))).toEqual({ a: 2 });
  });

  test('SBX-04 changes of a program to its built-ins reach neither the host nor the next program', async () => {
    const mess =
      'Object.prototype.x = 1; JSON.parse = () => 1; JSON.stringify = () => "1"; Array.prototype.map = 1; Map.prototype.get = 1;';
    const tools = { echo: ([given]: readonly unknown[]) => given };
    expect(valueOf(await runIn(sandbox, `${mess} return await echo({ a: [1] });`, { tools }))).toEqual({ a: [1] });
    for (let programs = 0; programs < 3; programs++) {
      const body = 'return [typeof ({}).x, JSON.stringify([1].map(String)), typeof Map.prototype.get];';
      expect(valueOf(await runIn(sandbox, body))).toEqual(['undefined', '["1"]', 'function']);
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('SBX-05 output is cut where its limit is, with a mark', async () => {
    const { end, output } = await runIn(
      sandbox,
      "console.log('a'); console.log('ä'.repeat(1e6)); console.log('b'); return 1;",
      { maxOutputBytes: 100 },
    );
    expect(end.kind).toBe('completed');
    expect(output).toBe(`a\n${'ä'.repeat(49)}… [output cut here: the limit is 100 bytes]\n`);
  });

  test.each([
    ['throw null', { name: 'object', message: 'null', line: undefined }],
    ["throw 'text'", { name: 'string', message: 'text', line: undefined }],
    ['\n  nope();', { name: 'ReferenceError', message: 'nope is not defined', line: 2, column: 3 }],
    ['const a = ;', { name: 'SyntaxError', line: 1, column: 11 }],
    ['const a = 1;\n/* ', { name: 'SyntaxError' }],
    ['class Own extends Error { name = "Own"; }\nthrow new Own("m");', { name: 'Own', message: 'm' }],
    ['throw { get name() { throw 1; } }', { name: 'object' }],
    ['throw Object.assign(new Error("x"), { message: { toString() { throw 1; } } })', { name: 'object' }],
  ])('SBX-05 %j is reported with its place', async (body, error) => {
    expect((await runIn(sandbox, body)).end).toMatchObject({ kind: 'threw', error });
  });

  test.each([
    ['() => 1', 'function', '[Function ]'],
    ['Symbol("s")', 'symbol', 'Symbol(s)'],
    ['12n', 'bigint', '12n'],
    ['2n ** 9999n', 'bigint', 'a large bigint'],
    ['NaN', 'number', 'NaN'],
    ['new Set([1])', 'Set', 'Set {1}'],
    ['new Date(0)', 'Date', '1970-01-01T00:00:00.000Z'],
    ['new Uint8Array(3)', 'Uint8Array', 'Uint8Array of 3 bytes'],
    ['new (class Point { x = 1 })()', 'Point', 'Point {x: 1}'],
    ['{ a: undefined, b: 1n }', 'object', '{a: undefined, b: 1n}'],
    ['[, () => 1]', 'Array', '[undefined, [Function ]]'],
    ['Object.assign([1], { extra: 1 })', 'Array', '[1]'],
    ['{ a: { b: new Map([["k", [1n]]]) } }', 'object', '{a: {b: Map {"k" => […]}}}'],
    ['(() => { const o = {}; o.o = o; return o; })()', 'object', '{o: {o: {o: {…}}}}'],
    ['new Error("e")', 'Error', 'Error: e'],
    ['/x/g', 'RegExp', '/x/g'],
    ['{ [Symbol("s")]: 1 }', 'object', '{}'],
    ['Promise', 'function', '[Function Promise]'],
  ])('SBX-05 returning %s yields a mark in its place', async (text, type, preview) => {
    expect(valueOf(await runIn(sandbox, `return ${text};`))).toEqual({ kind: 'not-serializable', type, preview });
  });

  test.each([
    'null',
    '-0',
    '"ä😀"',
    '[[], {}]',
    'Object.create(null)',
    'JSON.parse(\'{"__proto__":1}\')',
    '{ toString: 1 }',
  ])('SBX-05 a program returns %s to the host', async (text) => {
    const heard = await runIn(sandbox, `return ${text};`);
    expect(heard.end).toMatchObject({ kind: 'completed', value: { kind: 'json' } });
  });

  test('an unhandled rejection is written to the errors, and ends nothing', async () => {
    const { end, errors } = await runIn(
      sandbox,
      "Promise.reject(new Error('nobody')); const late = Promise.reject(1); late.catch(() => 0); return 1;",
    );
    expect(end.kind).toBe('completed');
    expect(errors).toBe('Unhandled rejection: Error: nobody\n');
  });

  test('results that a program has dropped take no memory any more', async () => {
    const tools = { large: () => 'x'.repeat(500_000) };
    const heard = await runIn(sandbox, 'for (let i = 0; i < 150; i++) await large(); return 1;', {
      tools,
      memoryBytes: 2 ** 24,
    });
    expect(valueOf(heard)).toBe(1);
  });

  test('a program that waits for nothing ends at once', async () => {
    const { end } = await runIn(sandbox, 'await new Promise(() => {});', { wallMs: 100_000 });
    expect(end).toEqual({ kind: 'exceeded', limit: 'wall', idle: true });
  });

  test('programs beyond the limit wait for their turn, and can be cancelled while they wait', async () => {
    const abort = new AbortController();
    const release: (() => void)[] = [];
    const tools = { wait: () => new Promise<void>((resolve) => release.push(resolve)) };
    const first = [1, 2, 3].map(() => runIn(sandbox, "await wait(); return 'ran';", { tools }));
    while (release.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const fourth = runIn(sandbox, 'return 4;', { wallMs: 1_000 });
    const cancelled = runIn(sandbox, 'return 5;', { signal: abort.signal });
    abort.abort();
    expect((await cancelled).end).toEqual({ kind: 'cancelled' });
    for (const go of release) go();
    expect((await Promise.all(first)).map(valueOf)).toEqual(['ran', 'ran', 'ran']);
    expect(valueOf(await fourth)).toBe(4);
  });

  test('a thread that dies ends its program as crashed, and another one takes its place', async () => {
    const own = new QuickJsSandbox({ workers: 1 });
    const { end } = await runIn(own, 'await die();', { tools: { die: () => dieIn(own) } });
    expect(end).toEqual({ kind: 'crashed', message: 'the thread of the program ended' });
    expect(valueOf(await runIn(own, 'return 1;'))).toBe(1);
    await own.close();
  });

  test('a bridge that breaks its promise ends the program as crashed', async () => {
    const bridge = { call: () => Promise.reject(new TypeError('out')), write: () => undefined };
    const end = await sandbox.run({ body: 'await tool();', tools: ['tool'] }, bridge, limits);
    expect(end).toEqual({ kind: 'crashed', message: 'the bridge failed in tool: out' });
  });

  test('close cancels what runs, and E653 refuses what comes after', async () => {
    const own = new QuickJsSandbox();
    const running = runIn(own, 'await never();', { tools: { never: () => own.close().then(never) } });
    expect((await running).end).toEqual({ kind: 'cancelled' });
    const refused = runIn(own, 'return 1;');
    await expect(refused).rejects.toMatchObject({ code: 'E653' });
  });

  test.each([
    [{ wallMs: 0 }, 'wallMs is 0; it is a whole number from 1'],
    [{ memoryBytes: 1 }, 'memoryBytes is 1'],
    [{ maxCalls: NaN }, 'maxCalls is NaN'],
  ])('E652 QuickJsSandbox refuses limits that limit nothing: %j', async (some, message) => {
    await expect(runIn(sandbox, 'return 1;', some)).rejects.toThrow(message);
    await expect(runIn(sandbox, 'return 1;', some)).rejects.toMatchObject({ code: 'E652' });
  });

  test('E652 QuickJsSandbox refuses options outside of their range', () => {
    expect(() => new QuickJsSandbox({ workers: 5 })).toThrow('workers is 5; it is a whole number from 1 to 4');
  });
});

/** Kills the threads of a sandbox, as the machine might. */
async function dieIn(sandbox: QuickJsSandbox): Promise<void> {
  const pool = await (sandbox as unknown as { pool: Promise<{ all: Set<{ terminate(): Promise<void> }> }> }).pool;
  await Promise.all([...pool.all].map((worker) => worker.terminate()));
}
