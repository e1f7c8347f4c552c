import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { defineTool, Param } from 'toolwright';
import { QuickJsSandbox, Toolkit } from '@toolwright/programs';
import { PATIENCE_MS } from '../kit';
import { HELD_MS, leastPause } from '../../../../spec/support/hostPause';
import { measureAround } from '../../../../spec/support/attacks/around';

/** What the next program may take, start of a new engine included, in milliseconds. */
const ANSWER_MS = 5_000;
/** What the host may hold when all programs have ended, in bytes: heap and buffers beyond those at the beginning. */
const KEPT_BYTES = 20_000_000;

measureAround();

/** How a program ends: `shown` is its error's message, or its value as JSON. */
interface End {
  readonly status: RegExp;
  readonly shown: RegExp;
  /** True if only a limit ends it: its limit of time is short. */
  readonly isEndless?: boolean;
}

const throws = (shown: RegExp): End => ({ status: /^failed$/, shown });
const gives = (shown: RegExp): End => ({ status: /^completed$/, shown });
const endless: End = { status: /^timed_out$/, shown: /was not done after|computed for more than/, isEndless: true };
/** Which limit is the first depends on the machine. */
const growing: End = {
  status: /^(?:timed_out|failed)$/,
  shown: /was not done after|computed for more than|more than \d+ bytes of memory|too large to allocate/,
  isEndless: true,
};
const spent = throws(/more than \d+ bytes of memory/);
const tooDeep = throws(/Maximum call stack size exceeded/);
const noCode = throws(/code cannot be made out of text/);

/** Programs of a model that wants more than its tools: each ends as written here, and the next program does not notice it. */
const attacks: Readonly<Record<string, readonly [code: string, end: End]>> = {
  // Time.
  'a loop without an end': ['for (;;);', endless],
  'a loop of promises without an end': ['for (;;) await null;', growing],
  'a chain of reactions that feeds itself': ['const f = () => Promise.resolve().then(f); await f();', growing],
  'a generator without an end': ['return [...(function* () { for (;;) yield; })()];', growing],
  'an async iterator that never answers': [
    'for await (const a of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => 0) }) });',
    endless,
  ],
  'a pattern that backtracks': ["return /(a+)+$/.test('a'.repeat(40) + 'b');", endless],
  'a comparison that never ends': ['[2, 1].sort(() => { for (;;); });', endless],
  'a getter that never ends, read by the host': ['return { get a() { for (;;); } };', endless],
  'toJSON that never ends': ['return { toJSON() { for (;;); } };', gives(/"not-serializable"/)],
  'a finally block that goes on': ['for (;;) try { for (;;); } finally { continue; }', endless],
  'a power beyond all digits': ['return String(2n ** (2n ** 40n)).length;', throws(/BigInt is too large/)],
  'a product that doubles its digits': ['let a = 3n; for (;;) a *= a;', growing],
  'a thenable that never resolves': ['return { then() {} };', endless],
  'a promise that waits for itself': [
    'const p = Promise.resolve().then(() => p); return p;',
    throws(/self resolution/),
  ],
  'a wait for nothing': ['await new Promise(() => 0);', endless],
  // Memory.
  'texts that double': ["let a = 'a'; for (;;) a += a;", throws(/string too long|memory/)],
  'a text of a gigabyte': ["return 'a'.repeat(2 ** 30).length;", throws(/invalid string length/)],
  'a padding of half a gigabyte': ["return 'a'.padEnd(2 ** 29).length;", spent],
  'a list of four thousand million holes': ['const a = []; a.length = 2 ** 32 - 1; return a.join().length;', growing],
  'a fill of such a list': ['return new Array(2 ** 32 - 1).fill(0).length;', spent],
  'a buffer of a gigabyte': ['return new ArrayBuffer(2 ** 30).byteLength;', spent],
  'buffers without an end': ['const a = []; for (;;) a.push(new Uint8Array(1e6));', spent],
  'a map without an end': ['const a = new Map(); for (let i = 0; ; i++) a.set({}, i);', spent],
  'closures without an end': ['let f = () => 0; for (;;) { const g = f; f = () => g; }', spent],
  'symbols without an end': ['for (let i = 0; ; i++) Symbol.for(String(i).repeat(100));', growing],
  'errors with stacks without an end': ['const a = []; for (;;) a.push(new Error("x".repeat(1000)));', growing],
  // Depth.
  'a function that calls itself': ['const f = () => f() + 1; return f();', tooDeep],
  'a text that asks itself': ['return String({ toString() { return `${this}`; } });', tooDeep],
  'a proxy of itself': ['const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.a;', tooDeep],
  'a chain of a million prototypes': [
    'let a = null; for (let i = 0; i < 1e6; i++) a = Object.create(a); return a.b;',
    spent,
  ],
  'a value within itself': ['const a = {}; a.a = a; return a;', gives(/"not-serializable"/)],
  'a value of a hundred thousand levels': ['let a = 1; for (let i = 0; i < 1e5; i++) a = [a]; return a;', tooDeep],
  'an argument of a hundred thousand levels': [
    'let a = 1; for (let i = 0; i < 1e5; i++) a = [a]; return await get({ a });',
    tooDeep,
  ],
  'brackets of ten thousand levels': [
    `return ${'['.repeat(10_000)}${']'.repeat(10_000)};`,
    throws(/nested too deeply/),
  ],
  'blocks of five thousand levels': [
    `${'{'.repeat(5_000)}${'}'.repeat(5_000)} return 1;`,
    throws(/more than 250 levels of syntax within each other/),
  ],
  'a chain of ten thousand methods': [
    `const a = { f: () => a }; return a${'.f()'.repeat(10_000)} === a;`,
    gives(/^true$/),
  ],
  // The values that leave.
  'a value of a million entries': ['return Array.from({ length: 1e6 }, () => 1);', spent],
  'a value of a million objects': ['return Array.from({ length: 1e6 }, () => ({}));', spent],
  'an argument of three hundred thousand entries': [
    'return await get({ a: Array.from({ length: 3e5 }, () => 1) });',
    throws(/at most 20000 values/),
  ],
  'an argument of nine hundred thousand characters': ["return await get({ a: 'a'.repeat(9e5) });", throws(/a: /)],
  'an argument with a getter that throws': [
    'return await get({ get a() { throw new Error("mine"); } });',
    throws(/^mine$/),
  ],
  'an argument that is a proxy of many keys': [
    'return await get(new Proxy({}, { ownKeys: () => Array.from({ length: 3e4 }, (_, i) => `k${i}`), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }), get: () => 1 }));',
    throws(/at most 20000 values/),
  ],
  'an argument that calls the tool again': [
    'return await get({ toJSON: () => get({ a: [1] }) });',
    throws(/is a promise/),
  ],
  'a value with keys of prototypes': [
    'return JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\');',
    gives(/__proto__/),
  ],
  'lone surrogates': ["return '\\ud800'.repeat(1000);", gives(/ud800/)],
  'ten megabytes of output': ["console.log('a'.repeat(1e7));", spent],
  'a hundred thousand lines of output': ['for (let i = 0; i < 1e5; i++) console.log(i);', gives(/^null$/)],
  'output of a proxy without an end': ['console.log(new Proxy({}, { ownKeys: () => { for (;;); } }));', endless],
  'a proxy that is thrown': ['throw new Proxy({}, { get: () => { throw 1; } });', throws(/^\{\}$/)],
  'an error whose message never ends': ['throw { name: "E", get message() { for (;;); } };', endless],
  'an error with a message of ten megabytes': ['throw new Error("a".repeat(1e7));', throws(/^a{100}/)],
  'null that is thrown': ['throw null;', throws(/^null$/)],
  'a symbol that is thrown': ['throw Symbol("s");', throws(/Symbol/)],
  // Calls.
  'calls without an end': ['for (;;) await get({ a: [1] });', throws(/more than 50 tool calls/)],
  'ten thousand calls at once': [
    'await Promise.all(Array.from({ length: 1e4 }, () => get({ a: [1] })));',
    throws(/more than 50 tool calls/),
  ],
  'calls that nothing awaits': ['for (let i = 0; i < 40; i++) get({ a: [i] }); return 1;', gives(/^1$/)],
  'a tool that is replaced': ['globalThis.get = async () => "forged"; return await get({ a: [1] });', gives(/forged/)],
  'a tool without its object': ['return await get.call(null, { a: [1] });', gives(/^7$/)],
  'promises that are replaced': [
    'Promise.prototype.then = () => 1; globalThis.Promise = null; return await get({ a: [1] });',
    throws(/not a function/),
  ],
  'iteration that is replaced': [
    'Array.prototype[Symbol.iterator] = function* () { yield "forged"; }; return await get({ a: [1] });',
    gives(/^7$/),
  ],
  'a setter that every object inherits': [
    'Object.defineProperty(Object.prototype, "a", { set() { throw 1; }, configurable: true }); return await get({ b: [1] });',
    gives(/^7$/),
  ],
  'JSON that is replaced': [
    'JSON.stringify = () => "forged"; JSON.parse = () => "forged"; return await get({ a: [1] });',
    gives(/^7$/),
  ],
  'all built-ins frozen': [
    'for (const k of Object.getOwnPropertyNames(globalThis)) try { Object.freeze(globalThis[k]); } catch {} return await get({ a: [1] });',
    gives(/^7$/),
  ],
  // Ways out.
  'the constructor of a constructor': ['return this?.constructor?.constructor("return process")() ?? "none";', noCode],
  'the constructor of the tool': ['return get.constructor("return process")();', noCode],
  'the constructor of its promise': [
    'return get({ a: [1] }).constructor.constructor("return globalThis.process")()?.pid ?? "none";',
    noCode,
  ],
  'the function of a caller': [
    'function f() { return f.caller; } return String(f());',
    throws(/invalid property access/),
  ],
  Function: ['return Function("return this")().process ?? "none";', throws(/Function is not defined/)],
  'an eval by another name': ['return (0, eval)("typeof process + typeof require");', throws(/eval is not defined/)],
  'the module loader': ['return typeof require + typeof module + typeof process;', gives(/^"(undefined){3}"$/)],
  'an import': ['return await import("node:fs");', throws(/imports and exports nothing/)],
  'an import in a text': ['return await eval("import(\'node:fs\')");', throws(/eval is not defined/)],
  'the network': [
    'return typeof fetch + typeof XMLHttpRequest + typeof WebSocket + typeof Worker;',
    gives(/^"(undefined){4}"$/),
  ],
  'memory that is shared': [
    'return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
    throws(/Atomics is not defined/),
  ],
  WebAssembly: ['return typeof WebAssembly;', gives(/^"undefined"$/)],
  'stacks that are prepared': [
    'Error.prepareStackTrace = (_, s) => s[0].getThis(); return String(new Error().stack);',
    gives(/^"null"$/),
  ],
  'references that outlive': [
    'globalThis.kept = new WeakRef({}); new FinalizationRegistry(() => get({ a: [1] })).register({}); return typeof kept;',
    throws(/FinalizationRegistry is not defined/),
  ],
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap and buffers of the host after a collection, in bytes; the memory of the engine is bounded by its own limit. */
async function held(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

class Lists {
  @Param({ description: 'Numbers.', type: [Number], optional: true }) a?: number[];
  @Param({ description: 'More of them.', type: [Number], optional: true }) b?: number[];
}

describe('programs of a model that wants more than its tools', () => {
  const sandbox = new QuickJsSandbox({ workers: 1 });
  const get = defineTool({ name: 'get', description: 'Gets.', params: Lists, handler: () => 7 });
  const options = { sandbox, check: 'syntax', memoryMb: 16, maxCalls: 50 } as const;
  let patient: Toolkit;
  let hasty: Toolkit;
  let before: number;

  beforeAll(async () => {
    patient = await Toolkit.from([get], { ...options, timeoutMs: 30_000 });
    hasty = await Toolkit.from([get], { ...options, timeoutMs: 300 });
    await patient.execute('return await get()');
    before = await held();
  }, PATIENCE_MS);
  afterAll(async () => {
    for (const kit of [patient, hasty]) await kit.close();
    await sandbox.close();
  });

  test.each(Object.entries(attacks))(
    'HOST-17a %s',
    async (_title, [code, { status, shown, isEndless }]) => {
      const kit = isEndless === true ? hasty : patient;
      let result = await kit.execute(code);
      const pause = await leastPause(async () => (result = await kit.execute(code)), 5);
      expect(result.status).toMatch(status);
      expect(result.error?.message ?? JSON.stringify(result.returnValue ?? null)).toMatch(shown);
      expect(pause).toBeLessThanOrEqual(HELD_MS);
      const began = performance.now();
      const next = await patient.execute('return [await get({ a: [1] }), typeof kept, typeof {}.polluted]');
      expect(next.returnValue).toEqual([7, 'undefined', 'undefined']);
      expect(performance.now() - began).toBeLessThan(ANSWER_MS);
    },
    PATIENCE_MS,
  );

  test.each([
    ['numbers', 'Array.from({ length: 1e6 }, () => 1)', 'LimitExceeded'],
    ['objects', 'Array.from({ length: 1e6 }, () => ({}))', 'LimitExceeded'],
    ['numbers that are few enough', 'Array.from({ length: 19_000 }, () => 1)', undefined],
    ['objects that are few enough', 'Array.from({ length: 6_500 }, () => ({ a: {} }))', undefined],
    [
      'keys that are few enough',
      '[Object.fromEntries(Array.from({ length: 19_000 }, (_, i) => [`k${i}`, i]))]',
      undefined,
    ],
  ])(
    'HOST-05j a program returns a list of %s',
    async (_what, list, name) => {
      const kit = await Toolkit.from([get], { ...options, memoryMb: 256, timeoutMs: 30_000 });
      const pause = await leastPause(async () => {
        expect((await kit.execute(`return ${list};`)).error?.name).toBe(name);
      }, 20);
      await kit.close();
      expect(pause).toBeLessThanOrEqual(HELD_MS);
    },
    PATIENCE_MS,
  );

  test('HOST-17b the host holds the same after all of these programs as before', async () => {
    expect((await held()) - before).toBeLessThan(KEPT_BYTES);
  });
});
