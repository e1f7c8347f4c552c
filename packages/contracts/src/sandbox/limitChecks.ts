import { defineCheck, type EngineCheck } from './EngineCheck.js';
import { echo, never, Trial, type TrialOptions } from './Trial.js';

/** Checks that a program is ended by one of the given limits, and that the next program runs. */
function checkExceeds(name: string, body: string, limits: readonly string[], options: TrialOptions = {}): EngineCheck {
  return defineCheck(name, async (sandbox) => {
    const trial = await Trial.of(sandbox, body, { tools: { echo, never }, ...options });
    trial.expect(`the program ends by its limit (${limits.join(' or ')})`, limits.includes(trial.exceeded ?? ''), true);
    const next = await Trial.of(sandbox, 'return await echo(1);', { tools: { echo } });
    next.expect('the next program runs', next.value, 1);
  });
}

const soon = { limits: { wallMs: 300 } };
const time = ['wall', 'cpu'];

export const limitChecks: readonly EngineCheck[] = [
  checkExceeds('ends an endless loop', 'for (;;) {}', time, soon),
  checkExceeds(
    'ends a loop that catches everything',
    'for (;;) { try { for (;;) {} } catch {} finally { continue; } }',
    time,
    soon,
  ),
  checkExceeds(
    'ends a flood of microtasks',
    '(function f() { Promise.resolve().then(f); })(); await new Promise(() => {});',
    time,
    soon,
  ),
  checkExceeds('ends a loop in the returned value', 'return { get x() { for (;;) {} } };', time, soon),
  checkExceeds('ends a loop in a thenable', 'return { then() { for (;;) {} } };', time, soon),
  checkExceeds('ends a regular expression that backtracks', "/^(a+)+$/.test('a'.repeat(60) + '!');", time, soon),
  checkExceeds(
    'ends a program that computes too long, while it is not held up',
    'for (;;) await echo(1);',
    ['cpu', 'calls'],
    {
      limits: { cpuMs: 100, maxCalls: 1_000_000 },
    },
  ),
  checkExceeds('ends a program that waits for nothing', 'await new Promise(() => {});', ['wall'], soon),
  checkExceeds('ends a program that waits for a tool', 'await never();', ['wall'], soon),
  checkExceeds(
    'ends a program that fills its memory',
    'const a = []; for (;;) a.push(new Array(1e5).fill(Math.random()));',
    ['memory'],
  ),
  checkExceeds('counts buffers as memory', 'const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1));', ['memory']),
  checkExceeds('counts tool calls', 'for (let i = 0; i < 20; i++) await echo(i);', ['calls'], {
    limits: { maxCalls: 10 },
  }),
  checkExceeds(
    'counts tool calls that wait',
    'for (let i = 0; i < 20; i++) never();\nawait never();',
    ['concurrency'],
    {
      limits: { maxConcurrency: 10 },
    },
  ),
  checkExceeds('measures arguments', "await echo('x'.repeat(100000));", ['argument']),
  checkExceeds('measures the value of a program', "return 'x'.repeat(300000);", ['result']),
  checkExceeds('measures results', 'await large();', ['result'], {
    tools: { echo, large: () => ({ ok: true, json: JSON.stringify('x'.repeat(300_000)) }) },
  }),
  defineCheck('cuts output, and goes on', async (sandbox) => {
    const trial = await Trial.of(
      sandbox,
      "for (let i = 0; i < 10000; i++) console.log('x'.repeat(100)); return 'done';",
    );
    trial.expect('the program goes on', trial.value, 'done');
    trial.expect('the output is bounded', trial.output.join('').length < 5_000, true);
  }),
  defineCheck('makes an error of a stack that overflows', async (sandbox) => {
    const trial = await Trial.of(
      sandbox,
      'let depth = 0;\nfunction f() { depth++; return f() + 1; }\ntry { f(); } catch { return depth > 50; }',
    );
    trial.expect('the program can catch it', trial.value, true);
    const uncaught = await Trial.of(sandbox, 'function f() { return f() + 1; }\nf();');
    uncaught.expect('uncaught it is thrown', uncaught.end.kind, 'threw');
  }),
  defineCheck('ends a program at the wish of the host', async (sandbox) => {
    for (const body of ['for (;;) {}', 'await never();']) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 50);
      const trial = await Trial.of(sandbox, body, { tools: { never }, signal: abort.signal });
      trial.expect('it is cancelled', trial.end.kind, 'cancelled');
      trial.expect(
        'its calls are aborted',
        trial.signals.every(({ aborted }) => aborted),
        true,
      );
    }
  }),
  defineCheck('stops the clock while it is held', async (sandbox) => {
    const ask = async (_call: unknown, _signal: AbortSignal, hold: () => () => void) => {
      const goOn = hold();
      await new Promise((resolve) => setTimeout(resolve, 600));
      goOn();
      return { ok: true, json: '"yes"' } as const;
    };
    const trial = await Trial.of(sandbox, 'return await ask();', { tools: { ask }, limits: { wallMs: 500 } });
    trial.expect('waiting does not count', trial.value, 'yes');
  }),
  defineCheck('leaves the host its turn while a program computes', async (sandbox) => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const trial = await Trial.of(sandbox, 'for (;;) {}', { limits: { wallMs: 1_200 } });
    clearInterval(timer);
    trial.expect('timers of the host went on', turns > 20, true);
  }),
];
