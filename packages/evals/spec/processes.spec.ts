import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
const script = (name: string) => join(__dirname, 'support', name);

let folder: string;
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  folder = mkdtempSync(join(tmpdir(), 'toolwright-evals-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}, 600_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

/** Runs the eval, and kills it so many milliseconds after its first sign. */
const killAfter = (args: readonly string[], milliseconds: number): Promise<void> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [script('killedEval.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), milliseconds));
    child.stdout.resume();
    child.once('close', () => done());
  });
const runWhole = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [script('killedEval.mjs'), ...args], { encoding: 'utf8' })
    .split('\n')
    .slice(1)
    .join('\n');

test('an eval that is killed twenty times repeats no finished run, and reports what one pass reports', async () => {
  const [results, starts] = [join(folder, 'killed.jsonl'), join(folder, 'starts')];
  const finished = () =>
    linesOf(results)
      .slice(1)
      .map((line) => JSON.parse(line) as { task: string; epoch: number })
      .map(({ task, epoch }) => `${task} ${String(epoch)}`);
  // Spread over the time between two results, with the same points in each run of this test.
  for (let kill = 0, random = 1; kill < 20; kill++) {
    const [before, begun] = [new Set(finished()), linesOf(starts).length];
    random = (random * 48_271) % 2_147_483_647;
    await killAfter([results, starts], random % 40);
    expect(
      linesOf(starts)
        .slice(begun)
        .filter((run) => before.has(run)),
    ).toEqual([]);
  }
  const done = finished().length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(160);
  const resumed = runWhole(results, starts);
  expect(new Set(finished()).size).toBe(160);
  expect(finished()).toHaveLength(160);
  expect(resumed).toBe(runWhole(join(folder, 'whole.jsonl'), join(folder, 'whole-starts')));
}, 300_000);

test('a hundred thousand tasks need memory for their figures, and not for their answers', () => {
  const results = join(folder, 'many.jsonl');
  // All answers together take a hundred megabytes, and their results more: far beyond this heap.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=120', script('manyTasks.mjs'), results],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ finished: 100_000, read: 100_000, passed: true });
  expect(statSync(results).size).toBeGreaterThan(100_000_000);
}, 300_000);

describe('test runners', () => {
  const example = (imports: string, call: string): string => `
${imports}
import { defineEval, evalTests } from '@toolwright/evals';
const tasks = [{ id: 'good', input: 1 }, { id: 'bad', input: 2 }];
const one = { name: 'ones', tasks, run: ({ input }) => ({ text: String(input) }), score: { one: ({ text }) => text === '1' } };
${call}
`;
  const both = (host: string) =>
    `evalTests(defineEval(one)${host}); evalTests(defineEval({ ...one, name: 'gated', gates: { one: { share: 0.5 } } })${host});`;
  const run = (args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    });
    return { status, output: stdout + stderr };
  };

  test('node:test runs a test for each task, or one for the gates', () => {
    const file = join(folder, 'ones.test.mjs');
    writeFileSync(file, example("import { describe, test } from 'node:test';", both(', { describe, test }')));
    const { status, output } = run(['--test', '--test-reporter=tap', file]);
    expect(status).toBe(1);
    expect(output).toMatch(/^\s+ok \d - good$/m);
    expect(output).toMatch(/^\s+not ok \d - bad$/m);
    expect(output).toMatch(/ok \d - the eval meets its gates/);
    expect(output).toContain('one: it does not pass');
  });

  test('vitest runs a test for each task, or one for the gates', () => {
    const file = join(folder, 'ones.vitest.spec.mjs');
    writeFileSync(file, example("import { describe, test } from 'vitest';", both(', { describe, test }')));
    const bin = join(root, 'node_modules/vitest/vitest.mjs');
    const { status, output } = run([bin, 'run', '--root', folder, '--reporter=verbose', 'ones.vitest.spec.mjs']);
    expect({ status, output }).toMatchObject({ status: 1 });
    expect(output).toMatch(/✓ .*ones > good/);
    expect(output).toMatch(/[×✗] .*ones > bad/);
    expect(output).toMatch(/✓ .*gated > the eval meets its gates/);
  });

  test('jest runs a test for each task, or one for the gates', () => {
    const text = example('', both('')).replace(
      "import { defineEval, evalTests } from '@toolwright/evals';",
      "const { defineEval, evalTests } = require('@toolwright/evals');",
    );
    writeFileSync(join(folder, 'ones.jest.cjs'), text);
    writeFileSync(join(folder, 'package.json'), '{}');
    const bin = join(root, 'node_modules/jest/bin/jest.js');
    const { status, output } = run([bin, '--rootDir', folder, '--testMatch', '**/ones.jest.cjs', '--verbose', '-i']);
    expect({ status, output }).toMatchObject({ status: 1 });
    expect(output).toMatch(/✓ good/);
    expect(output).toMatch(/✕ bad/);
    expect(output).toMatch(/✓ the eval meets its gates/);
  });
});
