import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { QuickJsSandbox } from '../../../src/sandbox/QuickJsSandbox.js';
import { PATIENCE_MS } from '../../kit';
import { runIn, valueOf } from '../running';

jest.setTimeout(PATIENCE_MS);
const sandbox = new QuickJsSandbox({ workers: 1 });
afterAll(() => sandbox.close());

/** The result of a function for each input: its value, or the name of the error that it throws. */
const applied = (fn: string): string => `(inputs) => {
  const fn = ${fn};
  return inputs.map((input) => {
    try { return { value: fn(input) } } catch (error) { return { threw: error.name } }
  });
}`;

/** The same function over the same inputs, in a program and in Node, whose own globals are the oracle. */
async function both(fn: string, inputs: readonly unknown[]) {
  const heard = await runIn(sandbox, `return (${applied(fn)})(await inputs());`, { tools: { inputs: () => inputs } });
  const here = (runInThisContext(applied(fn)) as (inputs: readonly unknown[]) => unknown)(inputs);
  return { guest: valueOf(heard), node: JSON.parse(JSON.stringify(here)) as unknown };
}

async function agree(fn: string, inputs: fc.Arbitrary<unknown>): Promise<void> {
  // A program is many inputs: starting one costs more than they do.
  await fc.assert(
    fc.asyncProperty(fc.array(inputs, { minLength: 100, maxLength: 300 }), async (list) => {
      const { guest, node } = await both(fn, list);
      expect(guest).toEqual(node);
    }),
    { numRuns: 5, endOnFailure: true },
  );
}

const text = fc.string({ unit: fc.oneof(fc.constantFrom('\ud800', '\udc00', '\ufeff', 'é', '😀', '\0'), fc.string()) });
const byte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(0xef, 0xbb, 0xbf, 0xc0, 0xc3, 0xa9, 0xe0, 0xed, 0xa0, 0xf0, 0x9f, 0x98, 0x80, 0xf4, 0x90, 0xff, 0xfe),
);
const bytes = fc.array(byte, { maxLength: 12 });
/** Cut within a unit, UTF-16 is one of the differences below. */
const wholeUnits = bytes.map((list) => list.slice(0, list.length - (list.length % 2)));
const base64 = fc.string({ unit: fc.constantFrom(...Array.from('ABab01+/=-_ \n\tÿ')), maxLength: 9 });

describe('in programs and in Node', () => {
  test('TextEncoder returns the same bytes', async () => {
    await agree('(text) => [...new TextEncoder().encode(text)]', text);
    await agree(
      '(text) => { const into = new Uint8Array(5); const done = new TextEncoder().encodeInto(text, into); return [done.read, done.written, ...into] }',
      text,
    );
  });

  test.each(['{}', '{ fatal: true }', '{ ignoreBOM: true }', '{ fatal: true, ignoreBOM: true }'])(
    'TextDecoder(%s) returns the same texts',
    async (options) => {
      const decoded = (label: string): string =>
        `(bytes) => new TextDecoder('${label}', ${options}).decode(new Uint8Array(bytes))`;
      for (const label of ['utf-8', ' UTF8 ']) await agree(decoded(label), bytes);
      for (const label of ['utf-16le', 'utf-16', 'utf-16be']) await agree(decoded(label), wholeUnits);
    },
  );

  test('TextDecoder joins text that arrives in pieces', async () => {
    const fn = `(pieces) => {
      const decoder = new TextDecoder();
      return pieces.map((piece) => decoder.decode(new Uint8Array(piece), { stream: true })).join('|') + '|' + decoder.decode();
    }`;
    await agree(fn, fc.array(fc.array(byte, { maxLength: 4 }), { maxLength: 4 }));
  });

  test('atob and btoa return the same texts', async () => {
    await agree('(text) => btoa(text)', fc.oneof(text, fc.string({ unit: 'binary' })));
    await agree('(text) => atob(text)', base64);
    await agree('(bytes) => atob(btoa(String.fromCharCode(...bytes)))', bytes);
  });

  test('structuredClone returns an equal value that is not the same', async () => {
    await agree(
      '(value) => [structuredClone(value), Object(value) === value && structuredClone(value) === value]',
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"')),
    );
  });

  test.each([
    'structuredClone(new Date(5)).getTime()',
    'structuredClone(new Date(5)) instanceof Date',
    '[...structuredClone(new Map([[{ a: 1 }, new Set([1])]]))].map(([key, set]) => [key, [...set]])',
    'String(structuredClone(/a+/gi))',
    '[structuredClone(new RangeError("x")) instanceof RangeError, structuredClone(new RangeError("x")).message]',
    '(() => { const a = {}; a.a = a; const b = structuredClone(a); return [b.a === b, b !== a] })()',
    '(() => { const a = {}; const b = structuredClone([a, a]); return b[0] === b[1] })()',
    '[...structuredClone(new Uint8Array([1, 2]))]',
    'structuredClone(new Uint8Array([1, 2])).constructor.name',
    '[...new Uint8Array(structuredClone(new Uint8Array([1, 2]).buffer))]',
    'Object.keys(structuredClone({ a: undefined }))',
    'structuredClone(10n) === 10n',
    'Object.is(structuredClone(-0), -0)',
    'Number.isNaN(structuredClone(NaN))',
    'structuredClone([1, , 3]).hasOwnProperty(1)',
    'structuredClone(Object.create({ inherited: 1 })).inherited === undefined',
    'structuredClone(new (class Own { a = 1 })()).constructor.name',
    'structuredClone({ get a() { return 1 } })',
    'structuredClone(() => 1)',
    'structuredClone({ a: { b: Symbol("s") } })',
    'structuredClone(Promise.resolve())',
    'structuredClone()',
    'structuredClone(new WeakMap())',
    'structuredClone(new WeakRef({}))',
    `Object.hasOwn(structuredClone(JSON.parse('{"__proto__":1}')), '__proto__')`,
    'structuredClone(Object("text")) instanceof String',
    'structuredClone(Object(5)) instanceof Number',
    'structuredClone(new Error("x", { cause: { a: 1 } })).cause',
    '[...structuredClone(new Map([[1, (() => { const m = new Map(); m.set("self", m); return m })()]])).get(1).keys()]',
    '(() => { const b = new ArrayBuffer(8); const c = structuredClone([new Uint8Array(b, 2, 3), new DataView(b, 1)]); return [c[0].buffer === c[1].buffer, c[0].length, c[0].byteOffset, c[1].byteLength] })()',
    'structuredClone(new BigInt64Array([1n]))[0] === 1n',
    'Object.keys(structuredClone(Object.assign([1], { extra: 2 })))',
    'structuredClone(Object.create(null)) instanceof Object',
    'structuredClone({ [Symbol("s")]: 1, a: 1 })',
    'structuredClone(new Set([() => 1]))',
    'structuredClone(new Map([[1, Symbol()]]))',
    'Number.isNaN(structuredClone(new Date(NaN)).getTime())',
    'new TextDecoder("no such").encoding',
    'new TextDecoder().encoding',
    'new TextEncoder().encoding',
    'btoa(null)',
    'atob(12)',
    '[...new TextEncoder().encode()]',
    'new TextDecoder().decode()',
    'new TextDecoder().decode("text")',
    'new TextDecoder().decode(new Uint16Array([104, 105]))',
    'new TextDecoder().decode(new DataView(new Uint8Array([104, 105]).buffer, 1))',
  ])('programs and Node evaluate alike: %s', async (expression) => {
    const { guest, node } = await both(`() => (${expression})`, [0]);
    expect(guest).toEqual(node);
  });

  // docs/security.md lists these differences, and has to change with them.
  test.each([
    ['new TextDecoder("latin1").encoding', { threw: 'RangeError' }, { value: 'windows-1252' }],
    ['new TextDecoder("ascii").encoding', { threw: 'RangeError' }, { value: 'windows-1252' }],
    ['new TextDecoder("utf-16le").decode(new Uint8Array([0, 216, 0]))', { value: '\ufffd\ufffd' }, { value: '\ufffd' }],
    ['btoa()', { value: 'dW5kZWZpbmVk' }, { threw: 'TypeError' }],
  ])('programs and Node evaluate differently: %s', async (expression, inProgram, inNode) => {
    expect(await both(`() => (${expression})`, [0])).toEqual({ guest: [inProgram], node: [inNode] });
  });
});
