import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs in a process of its own, on the built package: what jest keeps would hide what a sandbox keeps. */
const script = (module: string): string => `
  import { QuickJsSandbox } from ${JSON.stringify(module)};
  import { existsSync, readdirSync } from 'node:fs';
  const sandbox = new QuickJsSandbox();
  const limits = { wallMs: 20000, cpuMs: 20000, memoryBytes: 2 ** 25, stackBytes: 2 ** 18, maxCalls: 20, maxConcurrency: 10,
    maxArgumentBytes: 1000, maxResultBytes: 1000, maxOutputBytes: 1000 };
  const bridge = { call: () => new Promise(() => {}), write() {} };
  const failing = [
    'throw new Error("x");', 'const = 1;', 'nope();', 'for (;;) tool(1);', 'tool("x".repeat(5000));', 'return "x".repeat(5000);',
    'await new Promise(() => {});', 'tool(1); throw null;', '(function f() { f(); })();', 'Promise.reject(1); throw 2;',
  ];
  const run = async (count) => {
    for (let i = 0; i < count; i++) {
      const end = await sandbox.run({ body: failing[i % failing.length], tools: ['tool'] }, bridge, limits);
      if (end.kind === 'completed' || end.kind === 'crashed') throw new Error(JSON.stringify([i, end]));
    }
    for (let i = 0; i < 3; i++) { global.gc(); await new Promise((resolve) => setTimeout(resolve, 10)); }
    const { heapUsed, rss } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap').length;
    const threads = existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : 0;
    return { heapUsed, rss, resources, threads };
  };
  run(100).then(async (before) => console.log(JSON.stringify([before, await run(1000)])));
`;

interface Usage {
  readonly heapUsed: number;
  readonly rss: number;
  readonly resources: number;
  /** Of the whole process, workers included; 0 where the system does not report it. */
  readonly threads: number;
}

test('1,000 failing programs leak nothing, and idle workers keep no process alive', async () => {
  const module = join(__dirname, '../../dist/index.mjs');
  const args = ['--expose-gc', '--input-type=module', '-e', script(module)];
  // It ends by itself, or is ended by the time limit, which would be a failure.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 110_000 });
  const [before, after] = JSON.parse(stdout) as [Usage, Usage];
  expect(after.heapUsed - before.heapUsed).toBeLessThan(2_000_000);
  expect(after.rss - before.rss).toBeLessThan(150_000_000);
  expect(after.resources).toBeLessThanOrEqual(before.resources);
  expect(after.threads).toBeLessThanOrEqual(before.threads);
}, 120_000);
