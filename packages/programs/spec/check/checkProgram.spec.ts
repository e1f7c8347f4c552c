import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProgram, type PreparedProgram } from '../../src/check/ProgramChecker.js';
import { CheckThread } from '../../src/check/CheckThread.js';

async function prepare(source: string): Promise<PreparedProgram> {
  const check = await checkProgram(source, { check: 'syntax' });
  if (!check.ok) throw new TypeError(`refused: ${check.fault.message}`);
  return check.program;
}

describe('checkProgram', () => {
  test('checkProgram returns the program as it runs', async () => {
    expect((await prepare('const x: number = 20;\nx * 2')).body).toBe('const x = 20;\nreturn x * 2');
  });

  test('checkProgram returns the fault of a program that cannot run', async () => {
    expect(await checkProgram('f(;')).toMatchObject({ ok: false, fault: { kind: 'syntax', line: 1, column: 3 } });
  });

  test('a text that is too much for a parser stops nothing but itself', async () => {
    const ticks: number[] = [];
    const timer = setInterval(() => ticks.push(Date.now()), 10);
    const [hostile, other] = await Promise.all([
      checkProgram(`${'<T>('.repeat(40)}a${')'.repeat(40)}`),
      checkProgram('1 + 1', { check: 'off' }),
    ]);
    clearInterval(timer);
    expect(hostile).toMatchObject({
      ok: false,
      fault: { kind: 'syntax', message: 'The program takes too long to read' },
    });
    expect(other.ok).toBe(true);
    expect(ticks.length).toBeGreaterThan(20);
  }, 60_000);
});

describe('places', () => {
  test.each([
    ['in JavaScript', 'f();\nboom()', 'boom', 'boom'],
    ['in the expression that is returned', 'boom(a, b)', 'b)', 'b)'],
    ['behind an annotation', 'const a: Array<string> = boom();\n1', 'boom', 'boom'],
    ['behind two', 'const a: string = 1, b: Record<string, number> = boom();', 'boom', 'boom'],
    ['within a word', 'const a: string = long;\na', 'ong', 'ong'],
    ['behind an assertion, returned', '(a as unknown as string).boom()', 'boom', 'boom'],
    ['below an interface', 'interface A {\n  a: string\n}\n  boom()', 'boom', 'boom'],
  ])('a place in the body is located in the source: %s', async (_, source, inBody, inSource) => {
    const { body, locate } = await prepare(source);
    expect(locate(placeOf(body, inBody))).toEqual(placeOf(source, inSource));
  });

  test('the return that was put in lies at its expression', async () => {
    const { locate } = await prepare('f();\n  g()');
    expect(locate({ line: 2, column: 3 })).toEqual({ line: 2, column: 3 });
    expect(locate({ line: 2, column: 6 })).toEqual({ line: 2, column: 3 });
  });

  function placeOf(text: string, part: string): { line: number; column: number } {
    const before = text.slice(0, text.lastIndexOf(part)).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
});

describe('the thread of checks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-check-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function thread(script: string): CheckThread {
    const file = join(folder, `${String(Math.random()).slice(2)}.cjs`);
    writeFileSync(file, `const { parentPort } = require('node:worker_threads');\n${script}`);
    return new CheckThread(file);
  }
  const task = { task: 'read', source: '1' } as const;

  test('E663 the thread of checks names the library that is missing', async () => {
    const missing = thread(`parentPort.postMessage({ kind: 'unable', problem: "Cannot find package 'acorn'" });`);
    await expect(missing.ask(task, 1_000)).rejects.toMatchObject({
      code: 'E663',
      message: expect.stringMatching(/Cannot find package 'acorn'[^]*npm install acorn sucrase/) as string,
    });
  });

  test('E664 a thread that does not start', async () => {
    const broken = thread('process.exit(1);');
    await expect(broken.ask(task, 1_000)).rejects.toMatchObject({ code: 'E664' });
    await expect(broken.ask(task, 1_000)).rejects.toMatchObject({ code: 'E664' });
  });

  test('a thread that dies of a task is replaced', async () => {
    const mortal = thread(`
      parentPort.on('message', ({ source }) => source === 'die' ? process.exit(1) : parentPort.postMessage({ kind: 'read', outcome: source }));
      parentPort.postMessage({ kind: 'ready' });`);
    expect(await mortal.ask({ task: 'read', source: 'die' }, 60_000)).toBeUndefined();
    expect(await mortal.ask(task, 60_000)).toEqual({ kind: 'read', outcome: '1' });
  });

  test('a program waits while a thread that was started early loads the compiler, and loads it only once', async () => {
    const early = thread(`
      let loads = 0;
      parentPort.on('message', ({ task }) => {
        if (task === 'load') loads++;
        parentPort.postMessage(task === 'load' ? { kind: 'loaded' } : { kind: 'read', outcome: loads });
      });
      parentPort.postMessage({ kind: 'ready' });`);
    early.warmUp();
    await early.prepare('read');
    await early.prepare('types');
    expect(await early.ask(task, 60_000)).toEqual({ kind: 'read', outcome: 1 });
  });
});
