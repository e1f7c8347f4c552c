import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliProject } from './support/CliProject';

let project: CliProject;

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: resolve(__dirname, '../../..') });
}, 600_000);
beforeEach(() => {
  const packages = ['toolwright', 'reflect-metadata', 'class-validator', 'class-transformer', 'typescript'];
  project = new CliProject(
    {
      'package.json': '{ "type": "module", "private": true }\n',
      'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "nodenext" } }\n',
      'seats.eval.ts': `import { defineEval, type EvalOptions } from '@toolwright/evals';
import { appendFileSync, readFileSync } from 'node:fs';

const options: EvalOptions<string> = {
  name: 'seats',
  tasks: 'seats.jsonl',
  run: async ({ id, input }, { signal }) => {
    appendFileSync('runs.txt', id + ' ');
    if (input === 'wait') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return { text: readFileSync('answer.txt', 'utf8') };
  },
  score: { text: ({ text, task }) => text === task.input },
  concurrency: 1,
};
export default defineEval(options);
export const gated = defineEval({ ...options, gates: { text: { share: 0.5 } } });
export const other = 1;
`,
      'seats.jsonl': '{"id":"a","input":"yes"}\n{"id":"b","input":"no"}\n',
      'answer.txt': 'yes',
    },
    [...packages, '@toolwright/evals'],
  );
});
afterEach(() => {
  project.close();
});

const run = (...args: readonly string[]) => project.run(['eval', ...args]);
const read = (file: string): string => readFileSync(join(project.folder, file), 'utf8');

describe('toolwright eval', () => {
  test('an eval that does not pass exits with 1, and one that meets its gates with 0', async () => {
    const failed = await run('seats.eval.ts');
    expect(failed).toMatchObject({ code: 1, err: '' });
    expect(failed.out).toBe(
      'seats: 2 tasks × 1\n  overall  50.0 % [9.5, 90.5]\n  text     50.0 % [9.5, 90.5]\nfailed\n',
    );
    const passed = await run('seats.eval.ts#gated', '--json', '--html', 'report.html', '--junit', 'report.xml');
    expect(passed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(passed.out)).toMatchObject({ format: 'toolwright/eval-report', passed: true });
    expect(read('report.html')).toMatch(/^<!doctype html>[^]*seats[^]*✔ passed/);
    expect(read('report.xml')).toMatch(/^<\?xml [^]*tests="3" failures="0"/);
  });

  test('an interrupted eval goes on with the same command, and is compared with a baseline', async () => {
    await run('seats.eval.ts', '--results', 'before.jsonl');
    project.write('seats.jsonl', read('seats.jsonl').replace('"no"', '"wait"'));
    project.write('runs.txt', '');
    const stopped = await project.runInTerminal(['eval', 'seats.eval.ts', '--results', 'after.jsonl'], {
      watch: (said, child) => said.includes('1/2') && child.write('\u0003'),
    });
    expect(stopped.out).toMatch(/█+░+ 1\/2, 0 failed/);
    expect(stopped.code).toBe(130);
    expect(read('after.jsonl').trim().split('\n')).toHaveLength(2);
    const refused = await run('seats.eval.ts', '--results', 'before.jsonl');
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^E993 .*the tasks are different/) as string,
    });
    project.write('seats.jsonl', read('seats.jsonl').replace('"wait"', '"no"'));
    project.write('answer.txt', 'no');
    const compared = await run('seats.eval.ts', '--results', 'new.jsonl', '--baseline', 'before.jsonl');
    expect(compared.out).toContain('p = 1.0000 (mcnemar)\n    worse: a\n    better: b\n');
    project.write('runs.txt', '');
    expect((await run('seats.eval.ts', '--results', 'new.jsonl')).code).toBe(1);
    expect(read('runs.txt')).toBe('');
  }, 60_000);

  test.each([
    [['none.ts'], 2, /^E961 none.ts/],
    [['seats.eval.ts#other'], 2, /^E962 seats.eval.ts: its export other is not an eval\n {2}fix: Export an eval/],
    [['seats.eval.ts', '--epochs', '0'], 2, /^E973.*A count is 1 to 9999/],
    [['seats.eval.ts', '--baseline', 'answer.txt'], 1, /^E994 .*there are no results/],
    [['seats.eval.ts#gated', '--html', 'none/report.html'], 2, /^E970 none\/report.html/],
  ])('a wrong command line %j is refused', async (args, code, message) => {
    expect(await run(...args)).toMatchObject({ code, err: expect.stringMatching(message) as string });
    expect(existsSync(join(project.folder, 'report.html'))).toBe(false);
  });
});
