import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { built, CliProject } from '../../packages/cli/spec/support/CliProject';
import { describeDoors } from './describeDoors';
import { CALLS, GIVEN } from './secretDesk';

const root = resolve(__dirname, '../..');
const given = JSON.stringify(GIVEN);
const files = {
  'package.json': '{ "type": "module", "private": true }\n',
  'desk.ts': readFileSync(join(__dirname, 'secretDesk.ts'), 'utf8'),
  'toolwright.config.ts': `import { Session } from 'toolwright';
import { Leak, openSecretDesk } from './desk.js';

export default async ({ approver }: { approver: never }) => (await openSecretDesk({ approver, repair: 'on' })).app;
export const session = () => new Session({ slices: [Leak] });
`,
  'calls.json': JSON.stringify([{ text: 'I do.', toolCalls: CALLS }, 'Done.']),
  'leave.json': JSON.stringify([{ toolCalls: [{ name: 'leave', arguments: GIVEN }] }, 'Done.']),
  'asked.json': JSON.stringify([{ toolCalls: [{ name: 'sign_in_asked', arguments: GIVEN }] }, 'Done.']),
};

let project: CliProject;
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  project = new CliProject(built(files));
}, 600_000);
afterAll(() => {
  project.close();
});

/** All that a command writes in pipes. */
async function written(...args: readonly string[]): Promise<string> {
  const { out, err } = await project.run(args);
  return `${out}${err}`;
}

/** Runs a command in a terminal, and answers its question with no. */
async function answered(...args: readonly string[]): Promise<string> {
  let isAnswered = false;
  const { out } = await project.runInTerminal(args, {
    env: { NO_COLOR: '1' },
    watch: (said, child) => {
      if (isAnswered || !said.includes('May it run?')) return;
      isAnswered = true;
      child.write('n');
    },
  });
  expect(isAnswered).toBe(true);
  return out;
}

async function calls() {
  const failed = [await written('call', 'fail', given), await written('call', 'refuse', given, '--commit', '--json')];
  return {
    'toolwright call': await written('call', 'sign_in', given),
    'toolwright call --json': await written('call', 'sign_in', given, '--json'),
    'toolwright call --commit': await written('call', 'sign_in', given, '--commit'),
    'toolwright call --commit --json': await written('call', 'sign_in', given, '--commit', '--json'),
    'toolwright call of a tool that fails': failed.join('\n'),
    'toolwright call of a tool that ends the run': await written('call', 'leave', given, '--commit'),
  };
}

async function runs() {
  const run = await written('run', 'Go', '--script', 'calls.json', '--approve', 'all', '--record', 'run.jsonl');
  return {
    'toolwright run': run,
    'toolwright run --json': await written('run', 'Go', '--script', 'calls.json', '--json'),
    'toolwright run that fails': await written('run', 'Go', '--script', 'leave.json', '--json'),
    'the bundle of toolwright run': readFileSync(join(project.folder, 'run.jsonl'), 'utf8'),
    'toolwright trace': await written('trace', 'run.jsonl'),
    'toolwright trace --json': await written('trace', 'run.jsonl', '--json'),
    'toolwright replay': await written('replay', 'run.jsonl', '--json'),
    'the question at the terminal': await answered('run', 'Go', '--script', 'asked.json'),
  };
}

describeDoors(calls, [
  'toolwright call',
  'toolwright call --json',
  'toolwright call --commit',
  'toolwright call --commit --json',
  'toolwright call of a tool that fails',
  'toolwright call of a tool that ends the run',
]);
describeDoors(runs, [
  'toolwright run',
  'toolwright run --json',
  'toolwright run that fails',
  'the bundle of toolwright run',
  'toolwright trace',
  'toolwright trace --json',
  'toolwright replay',
  'the question at the terminal',
]);

describe('HOST-14d --show-secrets', () => {
  const [secret = ''] = GIVEN.keys;

  test('--show-secrets shows a rehearsal to the person at a terminal', async () => {
    const { out } = await project.runInTerminal(['call', 'sign_in', given, '--show-secrets']);
    expect(out).toContain(secret);
  }, 60_000);

  test('--show-secrets shows the arguments in the question at the terminal', async () => {
    const out = await answered('run', 'Go', '--script', 'asked.json', '--show-secrets');
    expect(out.slice(0, out.indexOf('May it run?'))).toContain(secret);
  }, 60_000);

  test.each([
    ['call', 'sign_in', given],
    ['run', 'Go', '--script', 'calls.json'],
  ])(
    '%s --show-secrets is refused in a pipe, and nothing runs',
    async (...args) => {
      const { code, out, err } = await project.run([...args, '--show-secrets']);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('E973');
      expect(err).not.toContain(secret);
    },
    60_000,
  );

  test.each([
    ['call', 'sign_in', given],
    ['run', 'Go', '--script', 'calls.json'],
  ])(
    '%s --show-secrets is refused with --json at a terminal',
    async (...args) => {
      const { code, out } = await project.runInTerminal([...args, '--show-secrets', '--json']);
      expect(code).toBe(2);
      expect(out).toContain('E973');
      expect(out).not.toContain(secret);
    },
    60_000,
  );
});
