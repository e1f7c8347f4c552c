import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'acorn';
import { QuickJsSandbox } from '../../src/sandbox/QuickJsSandbox.js';
import cases from '../../../../spec/conformance/cases/code-mode.json';
import { runIn, valueOf, type Tool } from './running';

/** The attacks of the reference cases, without the checks that precede the engine in a toolkit. */
interface Attack {
  readonly id: string;
  readonly code_js: string;
  readonly limit_ms: number;
  readonly expect_return?: string;
  readonly expect_error?: string;
}

const later = (ms: number, value: unknown): Promise<unknown> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms).unref());

const tools: Record<string, Tool> = {
  get_weather: () => ({ location: 'NYC', unit: 'celsius', temp: 30, condition: 'sunny' }),
  add: () => Promise.reject(new TypeError('b is missing')),
  fail: () => Promise.reject(new TypeError('tool broke')),
  inspect: () => 'ok',
  echo: ([given]) => (given as { value: unknown }).value,
  slow: () => later(20, 20),
  never: () => new Promise(() => undefined),
};

/** The value of a program is that of its last expression. */
function withReturn(code: string): string {
  try {
    const last = parse(code, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true }).body.at(-1);
    return last?.type === 'ExpressionStatement' ? `${code.slice(0, last.start)}return ${code.slice(last.start)}` : code;
  } catch {
    return code;
  }
}

describe('attacks end in the properties that the sandbox promises', () => {
  const sandbox = new QuickJsSandbox();
  afterAll(() => sandbox.close());

  test.each(cases.escapes as readonly Attack[])(
    '$id',
    async ({ id, code_js, limit_ms, expect_return, expect_error }) => {
      const canary = join(tmpdir(), `toolwright-canary-${id}`);
      const code = withReturn(code_js.replaceAll('__CANARY__', canary));
      const known = Object.getOwnPropertyNames(Object.prototype);
      const before = process.memoryUsage().rss;
      const heard = await runIn(sandbox, code, { tools, wallMs: limit_ms });
      const value = valueOf(heard);

      expect(existsSync(canary)).toBe(false);
      expect(JSON.stringify([value, heard.output, heard.errors])).not.toMatch(/PWNED|EVIL|HACKED|HOSTPATH|LATE/);
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(known);
      expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
      if (expect_return !== undefined) expect(value).toBe(expect_return);
      if (expect_error !== undefined)
        expect(
          { wall: 'timeout', cpu: 'timeout', memory: 'memory|timeout' }[(heard.end as { limit: 'wall' }).limit],
        ).toContain(expect_error === 'memory|timeout' ? '' : expect_error);

      const [calls, output] = [heard.calls.length, heard.output];
      expect(valueOf(await runIn(sandbox, 'return await get_weather();', { tools }))).toMatchObject({ temp: 30 });
      expect([heard.calls.length, heard.output]).toEqual([calls, output]);
    },
    60_000,
  );
});
