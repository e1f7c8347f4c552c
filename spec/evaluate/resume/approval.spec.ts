import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteRuns } from '../../../packages/durable/spec/support/sqliteRuns.js';
import { bundledProject } from '../../toolchain/support/bundledProject.js';
import { Workspace } from '../../toolchain/support/Workspace.js';
import { steps } from './till.js';

jest.setTimeout(120_000);
const workspace = new Workspace();
const folders: string[] = [];
afterAll(() => {
  workspace.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const main = `
  import { steps } from './till.js';
  const [work, folder, decision] = process.argv.slice(2);
  steps[work](folder, decision === undefined ? undefined : JSON.parse(decision)).then((done) => {
    process.stdout.write(JSON.stringify(done));
  });
`;
let project = '';
beforeAll(async () => {
  project = await bundledProject(workspace, join(__dirname, 'till.ts'), main);
});

/** The output of one process; fails the test when it fails. */
function inProcess(...args: readonly string[]): unknown {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['bundled/main.js', ...args], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as unknown;
}

const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-approval-'));
  folders.push(folder);
  return folder;
};
const effectsOf = (folder: string): readonly string[] =>
  readFileSync(join(folder, 'effects.txt'), 'utf8').split('\n').slice(0, -1);
const keyOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'pending.json'), 'utf8')) as { readonly idempotencyKey: string })
    .idempotencyKey;

describe('a call that waits for an approval', () => {
  test.each<[name: string, decision: object, expected: object, paid: readonly number[]]>([
    // The limit of two payments is counted in the state that came along.
    ['approved', { kind: 'approved' }, { kind: 'succeeded', after: 'denied' }, [3, 30]],
    ['refused', { kind: 'denied', reason: 'too much' }, { kind: 'denied', after: 'succeeded' }, [3, 5]],
  ])('a waiting call is continued in another process: %s', async (_name, decision, expected, paid) => {
    const folder = fresh();
    const { waits } = await steps.ask(folder);
    expect(waits).toMatchObject({ tool: 'pay', arguments: ' {"amount": 30}' });
    expect(inProcess('answer', folder, JSON.stringify(decision))).toMatchObject({ ...expected, paid });
    // Asked once, and never paid without.
    const key = waits.idempotencyKey;
    const ofCall = effectsOf(folder).filter((line) => line.startsWith(key));
    expect(ofCall).toEqual(paid.includes(30) ? [`${key} asked`, `${key} paid 30`] : [`${key} asked`]);
  });
});

describe('a run that waits for an approval', () => {
  test('a run that waits ends in the middle of its turn: earlier calls stay, and no later call starts', async () => {
    const folder = fresh();
    expect(inProcess('run', folder)).toEqual({ waits: 'pay', paid: [3] });
    const entries = await sqliteRuns(join(folder, 'runs.db')).entries('till');
    expect(entries.map(({ kind }) => kind)).toEqual([
      ...['conversation', 'model', 'run', 'answer', 'begun', 'outcome', 'question'],
    ]);
    expect(entries.at(-1)).toMatchObject({ call: '1.1', name: 'pay', arguments: { amount: 30 }, about: 'approval' });
    expect(effectsOf(folder).some((line) => line === 'counted')).toBe(false);
  });

  test.each<[name: string, decision: object, said: readonly string[], paid: readonly number[]]>([
    [
      'approved',
      { kind: 'approved' },
      ['paid 3', 'paid 30', '2 payments', expect.stringMatching(/denied: at most 2 calls/) as string],
      [3, 30],
    ],
    [
      'refused',
      { kind: 'denied', reason: 'too much' },
      ['paid 3', 'The call of pay was denied: too much', '1 payments', 'paid 4'],
      [3, 4],
    ],
  ])(
    'a run that waits is continued from its record once its question has a reply; the first one counts: %s',
    (_name, decision, said, paid) => {
      const folder = fresh();
      inProcess('run', folder);
      const key = keyOf(folder);
      // There is no reply yet: it waits again, for the same call.
      expect(inProcess('run', folder)).toMatchObject({
        waits: 'E731',
        questions: [{ call: '1.1', about: 'approval' }],
      });
      const replies = ['taken', 'late'];
      expect(inProcess('run', folder, JSON.stringify(decision))).toEqual({ text: 'Done.', said, replies, paid });
      const effects = effectsOf(folder);
      expect(effects.filter((line) => line === 'model 1')).toHaveLength(1);
      expect(effects.filter((line) => line.endsWith('paid 3'))).toHaveLength(1);
      expect(effects.filter((line) => line === `${key} asked`)).toHaveLength(1);
      if (paid.includes(30)) expect(effects).toContain(`${key} paid 30`);
    },
  );
});
