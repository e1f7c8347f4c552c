import { readFileSync } from 'node:fs';
import { withMaximumMemory } from '../src/sandbox/compileWasm.js';
import ts from 'typescript';
import { ProgramService } from '../src/check/types/ProgramService.js';
import { writeCheckedDeclarations } from '../src/declare/writeDeclarations.js';
import { CheckPool } from '../src/check/CheckPool.js';
import type { CheckMessage } from '../src/check/checkTasks.js';
import { readProgram } from '../src/check/readProgram.js';
import { mapToSource } from '../src/check/mapToSource.js';
import { createParsers } from '../src/check/createParsers.js';
import { extractCode } from '../src/extractCode.js';
import { createFault } from '../src/createFault.js';
import { suggestName } from '../src/suggestName.js';
import { addHint } from '../src/program/addHint.js';
import { ProgramTools } from '../src/ProgramTools.js';
import { type Constructor, Deadline, defineTool } from 'toolwright';
import { QuickJsSandbox, Toolkit, type ToolkitOptions } from '@toolwright/programs';
import { runIn, valueOf } from './sandbox/running';
import { engineOfFile, PATIENCE_MS } from './kit';
import { deskOf } from '../../../spec/dispatch/desk';
import { HELD_MS, leastPause } from '../../../spec/support/hostPause';
import { measureAround } from '../../../spec/support/attacks/around';

/** TypeScript declares it only with the DOM library. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  readonly Module: {
    new (bytes: Uint8Array): object;
    imports(module: object): readonly { readonly module: string }[];
  };
  instantiate(module: object, imports: object): Promise<{ readonly exports: Readonly<Record<string, unknown>> }>;
};

/** Reads a typed program of a megabyte, as the thread of the check does. */
async function readTyped() {
  const parsers = createParsers(await import('acorn'), await import('sucrase'));
  const source = `let x: number = 1;\n${'x;'.repeat(100_000)}\nconst y: string = null.z;`;
  const outcome = readProgram(source, parsers);
  const map = outcome.ok ? outcome.read.map : null;
  if (map === null) throw new Error('the program has types');
  return map;
}

// What the parsers keep of their first run is theirs; a second one may add nothing.
beforeAll(async () => {
  await readTyped();
});
measureAround();

const MEGABYTE = 1_000_000;

function tool(name: string, value: unknown = { temp: 1, wind: 2 }): Constructor {
  return defineTool({ name, description: 'Gets.', handler: () => value });
}

async function toolsNamed(...names: readonly string[]): Promise<ProgramTools> {
  return ProgramTools.of((await deskOf(names.map((name) => tool(name)))).rendered);
}

describe('sources, messages and answers are read in linear time', () => {
  const long = {
    'one word': 'a'.repeat(MEGABYTE),
    'blanks behind =': `x =${' '.repeat(MEGABYTE)}`,
    'blanks behind await': `x = await${' '.repeat(MEGABYTE)}`,
    colons: 'a:'.repeat(MEGABYTE / 2),
    assignments: 'a=get(\n'.repeat(MEGABYTE / 7),
    'assignments in a line': 'a=get('.repeat(MEGABYTE / 6),
    properties: 'a.b;'.repeat(MEGABYTE / 4),
    'dots behind blanks': `a${' '.repeat(MEGABYTE)}.b`,
    quotes: "'a' is not ".repeat(MEGABYTE / 11),
    'line breaks': '\n'.repeat(MEGABYTE),
    dollars: '$'.repeat(MEGABYTE),
  };

  test.each(Object.entries(long))('HOST-02a hints for a program of a megabyte: %s', async (_, code) => {
    const tools = await toolsNamed('get', 'get_weather');
    const lines = code.split('\n').length;
    for (const kind of ['type', 'reference'] as const)
      for (const line of [1, lines])
        expect(
          await leastPause(() => {
            const fault = createFault(code, { line, column: 10 }, { kind, name: 'E', message: code, hint: null });
            return addHint(fault, { code, tools, lastResult: () => undefined, errorHint: undefined });
          }),
        ).toBeLessThanOrEqual(HELD_MS);
  });

  test.each([
    ['a run of backquotes, words, and one more', `${'`'.repeat(MEGABYTE / 2)}${'x'.repeat(MEGABYTE / 2)}\``],
    ['fences that open and open', '```ts\n'.repeat(MEGABYTE / 6)],
    ['line breaks', '```ts\n' + '\n'.repeat(MEGABYTE)],
    ['an indented block', `${' '.repeat(MEGABYTE / 2)}\`\`\`ts\n${' '.repeat(MEGABYTE / 2)}`],
    ['blanks behind a fence', `\`\`\`ts\n\`\`\`${' '.repeat(MEGABYTE)}x`],
    ['carriage returns', '\r'.repeat(MEGABYTE) + '\n```'],
    ['a closing run', `\`\`\`ts\na${'`'.repeat(MEGABYTE)}`],
  ])('HOST-02b extractCode reads in linear time: %s', async (_, text) => {
    expect(await leastPause(() => extractCode(text))).toBeLessThanOrEqual(HELD_MS);
  });

  test('HOST-02c a place in a typed program of a megabyte is found without a reader that keeps every token', async () => {
    const map = await readTyped();
    expect(await leastPause(() => mapToSource(map, { line: 3, column: 12 }))).toBeLessThanOrEqual(HELD_MS);
    // `const y = null.z;`: the tokens behind the type have moved by eight columns.
    expect(mapToSource(map, { line: 3, column: 11 })).toEqual({ line: 3, column: 19 });
    expect(mapToSource(map, { line: 3, column: 7 })).toEqual({ line: 3, column: 7 });
    expect(mapToSource(map, { line: 2, column: 5 })).toEqual({ line: 2, column: 5 });
    expect(mapToSource(map, { line: 9, column: 5 })).toEqual({ line: 9, column: 5 });
  });

  test('HOST-02d a result of a hundred thousand keys, each of a kilobyte, is hinted at briefly and at once', async () => {
    const tools = await toolsNamed('get');
    const key = 'k'.repeat(1_000);
    const result = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${String(index)}${key}`, 1]));
    const code = 'const row = await get();\nrow.temp.x;';
    const fault = createFault(
      code,
      { line: 2, column: 5 },
      { kind: 'type', name: 'TypeError', message: 'x', hint: null },
    );
    const hinted = (): string | null =>
      addHint(fault, { code, tools, lastResult: () => result, errorHint: undefined }).hint;
    expect(await leastPause(hinted)).toBeLessThanOrEqual(HELD_MS);
    expect(hinted()).toMatch(/^The result of get has no "temp"\. It has: /);
    expect(hinted()?.length).toBeLessThan(3_000);
  });

  test('HOST-02e a misspelling is compared with ten thousand names at once', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `${'n'.repeat(58)}${String(100_000 + index)}`);
    expect(await leastPause(() => suggestName('x'.repeat(64), names))).toBeLessThanOrEqual(HELD_MS);
  });
});

describe('programs that are checked', () => {
  const sandbox = engineOfFile();
  const hostile = {
    'async( repeated': `${'async('.repeat(30)}${')'.repeat(30)}`,
    'a sum of 5,000 ones': Array.from({ length: 5_000 }, () => '1').join('+'),
    'assertions that open and open': `${'<T>('.repeat(40)}a${')'.repeat(40)}`,
  };
  const kits: Toolkit[] = [];
  afterAll(async () => {
    for (const kit of kits) await kit.close();
  });

  async function kit(options: ToolkitOptions = {}): Promise<Toolkit> {
    const made = await Toolkit.from([tool('get_value', 7)], { sandbox, ...options });
    kits.push(made);
    return made;
  }

  test.each(Object.entries(hostile))(
    'HOST-03a the check of %s ends within its own bound',
    async (_, code) => {
      const own = await kit();
      await own.execute('return 1');
      const began = performance.now();
      const { status, error } = await own.execute(code);
      expect(performance.now() - began).toBeLessThan(10_000);
      if (error?.code !== undefined) {
        expect({ status, error }).toMatchObject({ status: 'failed', error: { code: 'E665' } });
        expect(error.hint).toMatch(/^Write it shorter and flatter/);
      }
    },
    PATIENCE_MS,
  );

  test(
    'HOST-03b programs of a hostile toolkit do not keep those of another waiting',
    async () => {
      const [bad, good] = [await kit(), await kit()];
      await Promise.all([bad.execute('return 1'), good.execute('return 1')]);
      const running = Array.from({ length: 3 }, () => bad.execute(hostile['async( repeated']));
      const began = performance.now();
      const { returnValue } = await good.execute('return await get_value()');
      const tookMs = performance.now() - began;
      expect(returnValue).toBe(7);
      // Three times twenty seconds, one after the other, is what it waited before.
      expect(tookMs).toBeLessThan(10_000);
      const ends = await Promise.all(running);
      expect(ends.map(({ error }) => error?.code)).toEqual(Array.from({ length: 3 }, () => 'E665'));
    },
    PATIENCE_MS,
  );

  test(
    'HOST-03c an abort and a deadline end a check, and the wait for one',
    async () => {
      const own = await kit();
      await own.execute('return 1');
      const aborting = new AbortController();
      const busy = Array.from({ length: 4 }, () =>
        own.execute(hostile['async( repeated'], { signal: aborting.signal }),
      );
      const late = own.execute('return 1', { deadline: Deadline.in(1_000) });
      expect((await late).status).toBe('timed_out');
      const began = performance.now();
      aborting.abort();
      expect((await Promise.all(busy)).map(({ status }) => status)).toEqual(busy.map(() => 'cancelled'));
      expect(performance.now() - began).toBeLessThan(1_000);
    },
    PATIENCE_MS,
  );

  test(
    'HOST-03d the check counts in the time limit of the program',
    async () => {
      const own = await kit({ timeoutMs: 300 });
      const { status, error } = await own.execute(hostile['async( repeated']);
      expect({ status, error }).toMatchObject({
        status: 'timed_out',
        error: { kind: 'timeout', message: 'The program was still being checked after 300 ms, its limit.' },
      });
    },
    PATIENCE_MS,
  );

  test('HOST-03e toolkits take turns, and one of them never holds all threads', async () => {
    const order: string[] = [];
    const [one, other, third] = [{ name: 'one' }, { name: 'other' }, { name: 'third' }];
    const held: (() => void)[] = [];
    const thread = {
      prepare: () => Promise.resolve(),
      warmUp: () => undefined,
      replace: () => Promise.resolve(),
      ask: () => new Promise<CheckMessage>((resolve) => held.push(() => resolve({ kind: 'loaded' }))),
    };
    const pool = new CheckPool(2, () => thread);
    const ask = (owner: { readonly name: string }): Promise<unknown> => {
      const asked = pool.ask({ task: { task: 'load' }, limitMs: 1_000, owner, signal: undefined });
      return asked.then(() => order.push(owner.name));
    };
    const all = [ask(one), ask(one), ask(one), ask(other), ask(third), ask(third)];
    while (order.length < all.length) {
      await new Promise((resolve) => setImmediate(resolve));
      held.shift()?.();
    }
    expect(order).toEqual(['one', 'other', 'one', 'third', 'one', 'third']);
  });

  test('HOST-03h a program that costs its thread holds its place until another thread has started', async () => {
    const [hostile, honest] = [{ name: 'hostile' }, { name: 'honest' }];
    const replaced: (() => void)[] = [];
    const answers: (CheckMessage | undefined)[] = [undefined];
    const thread = {
      prepare: () => Promise.resolve(),
      warmUp: () => undefined,
      replace: () => new Promise<void>((resolve) => replaced.push(resolve)),
      ask: () => Promise.resolve(answers.length > 0 ? answers.shift() : ({ kind: 'loaded' } as const)),
    };
    const pool = new CheckPool(2, () => thread);
    const ask = (owner: object): Promise<unknown> =>
      pool.ask({ task: { task: 'load' }, limitMs: 1_000, owner, signal: undefined });
    expect(await ask(hostile)).toEqual({ kind: 'exceeded' });
    const order: string[] = [];
    const again = ask(hostile).then(() => order.push('hostile'));
    await ask(honest).then(() => order.push('honest'));
    expect([order, replaced.length]).toEqual([['honest'], 1]);
    replaced[0]?.();
    await again;
    expect(order).toEqual(['honest', 'hostile']);
  });

  test.each([
    ['in JavaScript', ''],
    ['in TypeScript', 'const typed: number = 1;\n'],
  ])(
    'HOST-03g a chain of 300 operators is refused before its types are checked, one of 200 is not, %s',
    async (_, head) => {
      const own = await kit({ timeoutMs: 20_000 });
      const sum = (count: number): string => `${head}return ${Array.from({ length: count }, () => '1').join('+')}`;
      expect(await own.execute(sum(200))).toMatchObject({ status: 'completed', returnValue: 200 });
      const { status, error } = await own.execute(sum(300));
      expect({ status, error }).toMatchObject({ status: 'failed', error: { code: 'E665', kind: 'refused' } });
      expect(error?.message).toMatch(/more than 250 levels/);
    },
  );

  test('HOST-03f a program of more than a million characters is refused unread', async () => {
    const { error } = await (await kit()).execute('1;'.repeat(MEGABYTE));
    expect(error).toMatchObject({ kind: 'refused', code: 'E665' });
  });
});

describe('programs that run', () => {
  const sandbox = engineOfFile();
  const nested = 'let a = []; for (let i = 0; i < 50_000; i++) a = [a];';

  test.each([
    'for (let i = 0; i < 20_000; i++) try { structuredClone({ f: 1, g: () => 1, h: [{}], m: new Map([[1, Symbol()]]) }) } catch {}',
    'for (let i = 0; i < 20_000; i++) try { structuredClone({ get a() { throw 1 }, b: [new Date()] }) } catch {}',
    'for (let i = 0; i < 5_000; i++) structuredClone({ a: [1, { b: new Map([[{}, new Set([1])]]) }], c: new Uint8Array(8) })',
  ])(
    'HOST-09a %s leaves the engine whole',
    async (loop) => {
      expect(valueOf(await runIn(sandbox, `${loop}\nreturn [1, 2, 3].map((n) => n * 2)`))).toEqual([2, 4, 6]);
    },
    PATIENCE_MS,
  );

  test.each([
    'structuredClone(a)',
    `JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))`,
    'JSON.stringify(a)',
    'String(a)',
    'a.flat(Infinity)',
    '(function deeper(n) { return n === 0 ? 0 : 1 + deeper(n - 1) })(50_000)',
  ])(
    'HOST-09b %s in a depth of 50,000 is a RangeError that the program can catch',
    async (expression) => {
      const body = `${nested} try { ${expression}; return 'done' } catch (error) { return error.name }`;
      expect(valueOf(await runIn(sandbox, body))).toBe('RangeError');
    },
    PATIENCE_MS,
  );

  test(
    'HOST-09c a program that fills its memory and catches what it gets has used up its memory, not its time',
    async () => {
      const body = 'const all = []; for (;;) try { all.push(new Array(1_000).fill(1.5)) } catch {}';
      const { end } = await runIn(sandbox, body, { memoryBytes: 16 << 20, wallMs: 1_500, cpuMs: 1_500 });
      expect(end).toMatchObject({ kind: 'exceeded', limit: 'memory' });
    },
    PATIENCE_MS,
  );

  test('HOST-09d the memory of an instance has a maximum that the machine enforces', async () => {
    const bytes = readFileSync(require.resolve('quickjs-wasi/quickjs.wasm'));
    const limited = withMaximumMemory(bytes, 32 << 20);
    expect(WebAssembly.validate(limited)).toBe(true);
    const stubs = Object.fromEntries(
      WebAssembly.Module.imports(new WebAssembly.Module(limited)).map(({ module }) => [
        module,
        new Proxy({}, { get: () => () => 0 }),
      ]),
    );
    const { exports } = await WebAssembly.instantiate(new WebAssembly.Module(limited), stubs);
    const memory = exports['memory'] as { grow(pages: number): number };
    expect(() => memory.grow(512)).toThrow(RangeError);
    expect(memory.grow(1)).toBeGreaterThan(0);
    expect(() => withMaximumMemory(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), 1)).toThrow('no memory of its own');
  });

  test(
    'HOST-09e a program that waits for nothing with its memory full is told so for its memory',
    async () => {
      const { end } = await runIn(sandbox, "const t = []; for (;;) t.push('x'.repeat(1e6) + t.length)", {
        memoryBytes: 16 << 20,
      });
      expect(end).toMatchObject({ kind: 'exceeded', limit: 'memory' });
    },
    PATIENCE_MS,
  );

  const FORGED = `({ name: 'ToolError', message: 'forged', line: 1, column: 1, call: { id: 1, kind: 'denied' } })`;

  test.each([
    ['Object.prototype.toJSON', `Object.prototype.toJSON = function () { return ${FORGED} }`],
    ['String.prototype.toJSON', `String.prototype.toJSON = function () { return ${FORGED} }`],
    [
      'a getter on Object.prototype',
      `Object.defineProperty(Object.prototype, 'call', { get: () => ({ id: 1, kind: 'denied' }) })`,
    ],
    ['Object.prototype.kind', `Object.prototype.kind = 'denied'; Object.prototype.id = 1`],
    ['Array.prototype[Symbol.iterator]', `Array.prototype[Symbol.iterator] = function* () { yield ${FORGED} }`],
    ['Array.prototype.map', `Array.prototype.map = () => [${FORGED}]`],
    ['String.prototype.slice', `String.prototype.slice = () => (${FORGED})`],
    ['String.prototype.indexOf', 'String.prototype.indexOf = () => { throw 1 }'],
    ['JSON', `JSON.stringify = () => JSON.parse; globalThis.JSON = { stringify: () => '{}' }`],
    ['String', `globalThis.String = () => (${FORGED})`],
    ['Error[Symbol.hasInstance]', 'Object.defineProperty(TypeError, Symbol.hasInstance, { value: () => true })'],
    ['Error.prepareStackTrace', 'Error.prepareStackTrace = () => { throw 1 }'],
    ['Object.prototype.get', `Object.prototype.get = () => ${FORGED}`],
  ])('HOST-11a %s, replaced by a program, does not forge its error', async (_, code) => {
    const { end } = await runIn(sandbox, `await get().catch(() => 0);\n${code};\nthrow new RangeError('mine')`, {
      tools: {
        get: () => {
          throw new Error('no row');
        },
      },
    });
    expect(end).toMatchObject({ kind: 'threw', error: { name: 'RangeError', message: 'mine' } });
    expect(end.kind === 'threw' ? end.error.call : 'none').toBeUndefined();
  });

  test('HOST-11b answers that arrive after a program has replaced its built-ins stay those of the host', async () => {
    const body = `
      Array.prototype[Symbol.iterator] = function* () { for (const a of [1]) yield a };
      Object.prototype.toJSON = () => 'forged';
      Object.prototype.value = '"forged"';
      Object.prototype.json = '"forged"';
      return await refuse().then(() => 'no', (error) => error.kind + ' ' + error.message + ' ' + error.value);`;
    const heard = await runIn(sandbox, body.replace('for (const a of [1]) yield a', 'yield 1'), {
      tools: {
        refuse: () => {
          throw new Error('not you');
        },
      },
    });
    // Its own value is what `toJSON` makes of it, and text is text.
    expect(valueOf(heard)).toBe('tool_error not you null');
  });

  test('HOST-11c only a call that failed, with the kind that it failed with, makes an error that of a call', async () => {
    const body = `
      const first = await get().catch((error) => error);
      first.kind = 'denied'; first.name = 'TypeError'; first.message = 'mine';
      throw first`;
    const { end } = await runIn(sandbox, body, {
      tools: {
        get: () => {
          throw new Error('no row');
        },
      },
    });
    expect(end).toMatchObject({ kind: 'threw', error: { call: { id: 1, kind: 'tool_error' } } });
  });
});

describe('titles of schemas', () => {
  test('HOST-10a no title merges with a type of the library, of the sandbox or of the language', async () => {
    const service = new ProgramService(ts);
    const { checker, file } = service.compile('async function program() { }', '');
    const { Type, Namespace, Class } = ts.SymbolFlags;
    const known = checker.getSymbolsInScope(file, Type | Namespace | Class).map(({ name }) => name);
    expect(known.length).toBeGreaterThan(150);
    const words = ['string', 'any', 'never', 'class', 'undefined', 'unknown', 'bigint', 'type', 'void', 'null', 'let'];
    const tools = [...known, ...words].map((title, index) => ({
      name: `f${String(index)}`,
      description: '',
      params: null,
      schema: { type: 'object', properties: {} },
      result: null,
      returnSchema: { type: 'object', title, properties: { own: { type: 'string' } }, required: ['own'] },
    }));
    const { text } = writeCheckedDeclarations(tools);
    const types = [...text.matchAll(/^interface (?<name>[\w$]+)/gm)].map(({ groups }) => groups?.['name'] ?? '');
    expect(types).toHaveLength(tools.length);
    expect(types.filter((name) => known.includes(name))).toEqual([]);
    const checked = service.compile(
      'async function program() { const all = await Promise.all([f0()]); all[0].own }',
      text,
    );
    expect(checked.meaning.map(({ messageText }) => messageText)).toEqual([]);
  });

  test.each(['PromiseConstructor', 'Promise', 'Array', 'String', 'ArrayLike', 'IteratorResult', 'Console', 'never'])(
    'HOST-10b a title %s refuses no honest program',
    async (title) => {
      const returnSchema = { type: 'object', title, properties: { a: { type: 'number' } }, required: ['a'] };
      const get = defineTool({ name: 'get_row', description: 'Gets.', returnSchema, handler: () => ({ a: 1 }) });
      await using own = await Toolkit.from([get]);
      const source = `const rows = await Promise.all([get_row(), get_row()]);
        const texts: string[] = rows.map((row) => String(row.a).padStart(2, '0'));
        console.log(texts.length); return texts.join(', ')`;
      expect((await own.execute(source)).error).toBeNull();
    },
    PATIENCE_MS,
  );
});

describe('programs that wait, and programs that ask in vain', () => {
  const narrow = new QuickJsSandbox({ workers: 1, maxPrograms: 1 });
  afterAll(() => narrow.close());
  const ask = defineTool({ name: 'ask', description: 'Asks.', requiresApproval: true, handler: () => 'done' });
  const get = tool('get_value', 7);
  const opened: Toolkit[] = [];
  afterAll(async () => {
    for (const kit of opened) await kit.close();
  });

  async function kitWith(options: ToolkitOptions = {}): Promise<Toolkit> {
    const kit = await Toolkit.from([ask, get], { sandbox: narrow, check: 'syntax', ...options });
    opened.push(kit);
    return kit;
  }

  test(
    'HOST-07a programs that wait for a person hold no place that others need',
    async () => {
      const answers: ((answer: { readonly kind: 'approved' }) => void)[] = [];
      const approver = {
        approve: () => new Promise<{ readonly kind: 'approved' }>((resolve) => answers.push(resolve)),
      };
      const waiting = await kitWith({ approver });
      const held = [1, 2, 3].map(() => waiting.execute('return await ask()'));
      while (answers.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      const other = await kitWith();
      expect((await other.execute('return await get_value()')).returnValue).toBe(7);
      for (const answer of answers) answer({ kind: 'approved' });
      expect((await Promise.all(held)).map(({ returnValue }) => returnValue)).toEqual(['done', 'done', 'done']);
      expect((await other.execute('return await get_value()')).returnValue).toBe(7);
    },
    PATIENCE_MS,
  );

  test.each([
    ['perToolkit', { perToolkit: 1 }],
    ['perSession', { perSession: 1 }],
    ['perPrincipal', { perPrincipal: 1 }],
    ['total', { total: 1 }],
  ])('HOST-07b the quota %s refuses one more, and says so', async (name, quotas) => {
    const own = await kitWith({ quotas });
    const options = { runMetadata: { principal: 'ann' } };
    const [first, second] = await Promise.all([
      own.execute('await sleep(50); return 1', options),
      own.execute('return 2', options),
    ]);
    expect(first.returnValue).toBe(1);
    expect(second.error).toMatchObject({
      kind: 'limit',
      code: 'E667',
      hint: expect.stringContaining('again') as string,
    });
    expect(second.error?.message).toContain(`(${name})`);
    expect((await own.execute('return 3', options)).returnValue).toBe(3);
  });

  test('HOST-07c another principal has places of its own', async () => {
    const own = await kitWith({ quotas: { perPrincipal: 1 } });
    const ends = await Promise.all(
      ['ann', 'bob'].map((principal) => own.execute('await sleep(50); return 1', { runMetadata: { principal } })),
    );
    expect(ends.map(({ returnValue }) => returnValue)).toEqual([1, 1]);
  });

  test('HOST-07d a program whose calls are denied ten times ends', async () => {
    const own = await kitWith({ approver: { approve: () => ({ kind: 'denied', reason: 'No.' }) as const } });
    const loop = 'for (let i = 0; i < 100; i++) try { await ask() } catch {}\nreturn "kept on"';
    const { status, error, toolCalls } = await own.execute(loop);
    expect({ status, error }).toMatchObject({ status: 'failed', error: { kind: 'limit', code: 'E666' } });
    expect(toolCalls).toHaveLength(10);
  });

  test('HOST-07e quotas and maxDenials are checked', async () => {
    await expect(kitWith({ quotas: { total: 0 } })).rejects.toMatchObject({ code: 'E672' });
    await expect(kitWith({ maxDenials: -1 })).rejects.toMatchObject({ code: 'E672' });
    await expect(kitWith({ quotas: { perUser: 1 } as never })).rejects.toMatchObject({ code: 'E413' });
  });
});
