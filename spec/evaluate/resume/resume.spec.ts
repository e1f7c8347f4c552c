import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledProject } from '../../toolchain/support/bundledProject.js';
import { Workspace } from '../../toolchain/support/Workspace.js';
import { shop } from './shop.js';

jest.setTimeout(120_000);
const workspace = new Workspace();
const folders: string[] = [];
afterAll(() => {
  workspace.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** `kill FOLDER WHEN ENTRY` runs until it is killed; `continue FOLDER...` goes on with what is in the folders. */
const main = `
  import { shop } from './shop.js';
  const [act, ...args] = process.argv.slice(2);
  const goOn = async (folders) => {
    const done = {};
    for (const folder of folders) done[folder] = await shop(folder).catch((error) => ({ error: error.stack }));
    process.stdout.write(JSON.stringify(done));
  };
  if (act === 'kill') void shop(args[0], { when: args[1], at: Number(args[2]) });
  else void goOn(args);
`;
let project = '';
beforeAll(async () => {
  project = await bundledProject(workspace, join(__dirname, 'shop.ts'), main);
});

interface Ending {
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

function inProcess(...args: readonly string[]): Promise<Ending> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return new Promise((done) => {
    execFile(process.execPath, ['bundled.js', ...args], { cwd: project, env }, (error, stdout, stderr) => {
      done({ signal: error?.signal ?? null, stdout, stderr });
    });
  });
}

const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-resume-'));
  folders.push(folder);
  return folder;
};
const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
const entriesOf = (folder: string) => linesOf(join(folder, 'journal.jsonl'));
const effectsOf = (folder: string) => linesOf(join(folder, 'effects.txt'));

const KINDS = ['run', 'answer', 'call', 'call', 'call', 'answer', 'call', 'call', 'call', 'answer'];
/** The entry of a tool that does not exist: nothing outside of the journal shows it. */
const UNKNOWN_TOOL = 8;

type Death = readonly [when: 'before' | 'after', kind: string, at: number];
const deaths: readonly Death[] = KINDS.flatMap((kind, index) =>
  (['before', 'after'] as const).map((when) => [when, kind, index + 1] as const),
);

/** A run whose process was killed, and what it had written down by then. */
interface Killed {
  readonly folder: string;
  readonly signal: string | null;
  readonly recorded: readonly string[];
}

async function kill([when, , at]: Death): Promise<Killed> {
  const folder = fresh();
  const { signal } = await inProcess('kill', folder, when, String(at));
  return { folder, signal, recorded: entriesOf(folder) };
}

/** All runs: each is killed with a process of its own, and one further process continues all of them, which costs one start. */
async function killAndContinue(): Promise<{ readonly killed: readonly Killed[]; readonly continued: Ending }> {
  const killed: Killed[] = [];
  for (const death of deaths) killed.push(await kill(death));
  return { killed, continued: await inProcess('continue', ...killed.map(({ folder }) => folder)) };
}
let runs: ReturnType<typeof killAndContinue> | undefined;

describe('DUR-01 a run whose process is killed', () => {
  test('undisturbed, it writes down the run, each answer and each call', async () => {
    const folder = fresh();
    expect(await shop(folder)).toMatchObject({ text: 'Done.', items: ['apple', 'bread', 'milk', 'salt'] });
    expect(entriesOf(folder).map((line) => (JSON.parse(line) as { readonly kind: string }).kind)).toEqual(KINDS);
    expect(effectsOf(folder)).toHaveLength(8);
  });

  test.each(deaths)(
    'killed by SIGKILL %s the %s of entry %i: continued, the run reaches the same result, and repeats nothing that is recorded',
    async (...death) => {
      const [when, , at] = death;
      const expected = await shop(fresh());
      const { killed, continued } = await (runs ??= killAndContinue());
      const { folder, signal, recorded } = killed[
        deaths.findIndex((each) => each[0] === when && each[2] === at)
      ] as Killed;
      expect(signal).toBe('SIGKILL');
      expect(recorded).toHaveLength(when === 'before' ? at - 1 : at);

      expect(continued.stderr).toBe('');
      const results = JSON.parse(continued.stdout) as Readonly<Record<string, unknown>>;
      expect(results[folder]).toEqual(JSON.parse(JSON.stringify(expected)));
      expect(entriesOf(folder).slice(0, recorded.length)).toEqual(recorded);
      expect(entriesOf(folder)).toHaveLength(KINDS.length);

      // Only what had begun and was not written down happens again, under the same key.
      const effects = effectsOf(folder);
      const repeated = effects.filter((line, index) => effects.indexOf(line) !== index);
      expect(repeated).toHaveLength(when === 'before' && at > 1 && at !== UNKNOWN_TOOL ? 1 : 0);
    },
  );
});
