import fc from 'fast-check';
import { QuickJsSandbox } from '../../src/sandbox/QuickJsSandbox.js';
import { runIn, valueOf, type Tool } from './running';

const { program } = fc.letrec<{ expression: string; statement: string; program: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      '1',
      '"a"',
      'null',
      'undefined',
      'NaN',
      '2n ** 70n',
      'x',
      'x.y.z',
      '() => x',
      'new Map([[x, 1]])',
      'Symbol()',
      '[,]',
    ),
    fc.constantFrom(
      'tool',
      'tools',
      'globalThis',
      'ToolError',
      'x.constructor.constructor',
      'Object.prototype',
      'new URL("http://h/?a=1")',
    ),
    tie('expression').map((given) => `await tool({ value: ${given} })`),
    tie('expression').map((given) => `tool(${given}, ${given})`),
    tie('expression').map((given) => `parallel([tool, ${given}], [tool], { limit: 1 })`),
    tie('expression').map((given) => `structuredClone(${given})`),
    tie('expression').map((given) => `({ get a() { return ${given.replaceAll('await ', '')}; }, toJSON: 1 })`),
    tie('expression').map((given) => `new Proxy({}, { get: () => ${given.replaceAll('await ', '')} })`),
    fc.tuple(tie('expression'), tie('expression')).map(([left, right]) => `[${left}, ${right}]`),
  ),
  statement: fc.oneof(
    { maxDepth: 3 },
    tie('expression').map((given) => `x = ${given};`),
    tie('expression').map((given) => `console.log(${given});`),
    tie('expression').map((given) => `return ${given};`),
    tie('expression').map((given) => `throw ${given};`),
    tie('expression').map((given) => `Promise.reject(${given});`),
    tie('statement').map((inner) => `for (let i = 0; i < 20; i++) { ${inner} }`),
    tie('statement').map((inner) => `try { ${inner} } catch (e) { x = e; } finally { console.warn(1); }`),
    tie('statement').map((inner) => `(async () => { ${inner} })();`),
    fc.constantFrom(
      'for (;;) {}',
      'for (;;) tool(1);',
      'for (;;) await tool(1);',
      'x = "x".repeat(1e7);',
      '(function f() { f(); })();',
    ),
    fc.constantFrom(
      'Object.prototype.then = (f) => f(1);',
      'JSON.stringify = () => "{}";',
      'Array.prototype[Symbol.iterator] = null;',
    ),
    fc.constantFrom(
      'Promise.prototype.then = null;',
      'Error.prepareStackTrace = () => { throw 1; };',
      'Object.freeze(globalThis);',
    ),
  ),
  program: fc
    .array(tie('statement'), { minLength: 1, maxLength: 6 })
    .map((lines) => `let x = {};\n${lines.join('\n')}`),
}));

/** Possible results of a tool; the text of some is no JSON at all, though it should be. */
const results = fc.oneof(
  fc.json(),
  fc.constantFrom('{"__proto__":{"polluted":1}}', '{"then":1}', '1e400', '"\\ud800"', '', '{', 'undefined', '[]]'),
  fc.nat(5_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
);

describe('the bridge', () => {
  const sandbox = new QuickJsSandbox();
  afterAll(() => sandbox.close());

  test('the bridge holds against random programs and hostile results', async () => {
    const known = Object.getOwnPropertyNames(Object.prototype);
    const property = fc.asyncProperty(program, fc.array(results, { minLength: 1 }), async (body, given) => {
      let next = 0;
      const bridge = {
        calls: [] as number[],
        call: async ({ id, json }: { id: number; json: string }) => {
          bridge.calls.push(id);
          expect(Array.isArray(JSON.parse(json))).toBe(true);
          const text = given[next++ % given.length] ?? '';
          return text === ''
            ? ({ ok: false, kind: 'tool_error', message: 'no' } as const)
            : ({ ok: true, json: text } as const);
        },
        write: () => undefined,
      };
      const limits = {
        wallMs: 150,
        cpuMs: 150,
        memoryBytes: 2 ** 24,
        stackBytes: 2 ** 18,
        maxCalls: 100,
        maxConcurrency: 50,
      };
      const sizes = { maxArgumentBytes: 10_000, maxResultBytes: 20_000, maxOutputBytes: 1_000 };
      const end = await sandbox.run({ body, tools: ['tool'] }, bridge, { ...limits, ...sizes });
      const { length } = bridge.calls;
      expect(['completed', 'threw', 'exceeded', 'crashed']).toContain(end.kind);
      expect(bridge.calls).toEqual(Array.from({ length }, (_, index) => index + 1));
      await new Promise((resolve) => setImmediate(resolve));
      expect(bridge.calls).toHaveLength(length);
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(known);
      expect(JSON.stringify(end)).not.toMatch(/node:|node_modules|\.js:/);
    });
    await fc.assert(property, { numRuns: 120, endOnFailure: true });
    const tools: Record<string, Tool> = { echo: ([value]) => value };
    expect(valueOf(await runIn(sandbox, 'return await echo(1);', { tools }))).toBe(1);
  }, 120_000);
});
