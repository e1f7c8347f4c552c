import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEval, type EvalTask, evalTests, runEval } from '@toolwright/evals';
import { defineEcho } from './support/desk';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-evals-'));
  file = join(folder, 'tasks.jsonl');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const good = (id: string): string => JSON.stringify({ id, input: `Say ${id}.` });
const runFile = (text: string | Uint8Array) => {
  writeFileSync(file, text);
  return runEval(defineEcho({ tasks: file }));
};

test('tasks come from a JSONL file, with blank lines, line ends of Windows and a byte order mark', async () => {
  const { tasks } = await runFile(`\uFEFF${good('a')}\r\n\r\n${good('ü')}\n`);
  expect(tasks.map(({ id }) => id)).toEqual(['a', 'ü']);
});

test.each([
  ['a line that is not JSON', `${good('a')}\n{"id": "b", "input":\n`, 'E990', ':2: the line is not JSON'],
  ['a list', '[]', 'E990', ':1: expected a task, got an array of 0'],
  ['a task without an id', '{"input": 1}', 'E990', ':1: id: expected a text, got undefined'],
  ['a task without an input', '{"id": "a"}', 'E990', ':1: input is missing'],
  ['a misspelt field', '{"id": "a", "input": 1, "expectd": {}}', 'E990', 'Did you mean "expected"?'],
  ['a misspelt expectation', '{"id": "a", "input": 1, "expected": {"cals": []}}', 'E990', 'Did you mean "calls"?'],
  ['wrong calls', '{"id": "a", "input": 1, "expected": {"calls": ["x"]}}', 'E990', 'expected.calls: a list of'],
  ['an id twice', `${good('a')}\n${good('b')}\n\n${good('a')}\n`, 'E991', ':4: '],
  ['no task', '\n\n', 'E992', 'there are no tasks'],
])('a file with %s is refused with its line', async (_what, text, code, said) => {
  const error: unknown = await runFile(text).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'EvalError', code });
  expect((error as Error).message).toContain(said);
  expect((error as Error).message).toContain(file);
});

test('an id that occurs twice is reported with both lines', async () => {
  await expect(runFile(`${good('a')}\n${good('a')}\n`)).rejects.toThrow(
    `E991 ${file}:2: ${file}:1 has the id "a", too`,
  );
});

test('a line that is not UTF-8, a task that is nested too deeply and a missing file are refused', async () => {
  await expect(runFile(Buffer.from([0x7b, 0xff, 0x0a]))).rejects.toThrow(
    /E990.*:1: the line is too long, or not UTF-8/,
  );
  const deep = `{"id": "a", "input": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  await expect(runFile(deep)).rejects.toThrow(/E990.*:1: the task cannot be written as JSON/);
  await expect(runEval(defineEcho({ tasks: join(folder, 'none.jsonl') }))).rejects.toThrow(/E992.*cannot be read/);
});

test('tasks come from a list, and from a function that returns them anew', async () => {
  const list: readonly EvalTask<string>[] = [{ id: 'a', input: 'A' }];
  async function* stream() {
    yield* list;
  }
  for (const tasks of [list, () => list, stream])
    expect(await runEval(defineEcho({ tasks }))).toMatchObject({ passed: true, runs: { finished: 1 } });
  await expect(runEval(defineEcho({ tasks: [list[0]!, list[0]!] }))).rejects.toThrow('E991 tasks[1]: tasks[0] has');
  await expect(runEval(defineEcho({ tasks: [{ id: 'a', input: 1n as never }] }))).rejects.toThrow(/E990.*BigInt/);
  await expect(runEval(defineEcho({ tasks: [] }))).rejects.toMatchObject({ code: 'E992' });
});

describe('the options of an eval', () => {
  const given = { name: 'e', tasks: [], run: () => ({ text: '' }) };

  test.each([
    [{ ...given, name: ' ' }, /E413 defineEval: name/],
    [{ ...given, tasks: undefined }, /E413 defineEval: tasks/],
    [{ ...given, run: 1 }, /E413 defineEval: run/],
    [{ ...given, epochs: 0 }, /E413 defineEval: epochs: expected a whole number from 1 to 1000/],
    [{ ...given, epoch: 2 }, /E413 defineEval.*Did you mean "epochs"/],
    [{ ...given, score: { a: true } }, /E413 defineEval: score: expected functions by name/],
    [{ ...given, gates: { al: { share: 1 } }, score: { all: () => true } }, /E997 gates.al: .*Did you mean "all"/],
    [{ ...given, gates: { overall: { share: 2 } } }, /E997 gates.overall/],
    [{ ...given, gates: { overall: {} } }, /E997 gates.overall/],
    [{ ...given, score: { overall: () => true } }, /E997 score: overall is the name/],
  ])('a wrong option is refused: %#', (options, message) => {
    expect(() => defineEval(options as never)).toThrow(message);
  });

  test('tests of a runner need their tasks at once', () => {
    const host = { describe: jest.fn(), test: jest.fn() };
    expect(() => evalTests(defineEcho({ tasks: () => [] }), host)).toThrow(/E992 tasks: a test runner/);
  });
});
