import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { swc } from '../../toolchain/support/swc.js';
import { node, Workspace } from '../../toolchain/support/Workspace.js';
import { shop } from './shop.js';

jest.setTimeout(120_000);
const workspace = new Workspace();
const folders: string[] = [];
afterAll(() => {
  workspace.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const main = `
  import { shop } from './shop.js';
  const [folder, when, at] = process.argv.slice(2);
  shop(folder, when === undefined ? undefined : { when, at: Number(at) }).then((done) => {
    process.stdout.write(JSON.stringify(done));
  });
`;
let project = '';
beforeAll(async () => {
  const source = readFileSync(join(__dirname, 'shop.ts'), 'utf8');
  project = workspace.project('esm', { 'src/shop.ts': source, 'src/main.ts': main });
  await swc.compile({ folder: project, settings: { format: 'esm' } });
  // One file instead of hundreds: each of the processes starts in half of the time.
  const bundler = resolve(__dirname, '../../../node_modules/rolldown/bin/cli.mjs');
  const options = ['--platform', 'node', '--format', 'esm', '--file', 'bundled.js'];
  expect(await node(project, [bundler, 'out/main.js', ...options])).toMatchObject({ code: 0 });
});

function inProcess(...args: readonly string[]) {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  return spawnSync(process.execPath, ['bundled.js', ...args], { cwd: project, env, encoding: 'utf8' });
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

const deaths = KINDS.flatMap((kind, index) =>
  (['before', 'after'] as const).map((when) => [when, kind, index + 1] as const),
);

describe('DUR-01 a run whose process is killed', () => {
  test('undisturbed, it writes down the run, each answer and each call', async () => {
    const folder = fresh();
    expect(await shop(folder)).toMatchObject({ text: 'Done.', items: ['apple', 'bread', 'milk', 'salt'] });
    expect(entriesOf(folder).map((line) => (JSON.parse(line) as { readonly kind: string }).kind)).toEqual(KINDS);
    expect(effectsOf(folder)).toHaveLength(8);
  });

  test.each(deaths)(
    'killed by SIGKILL %s the %s of entry %i: continued, the run reaches the same result, and repeats nothing that is recorded',
    async (when, _kind, at) => {
      const expected = await shop(fresh());
      const folder = fresh();
      expect(inProcess(folder, when, String(at)).signal).toBe('SIGKILL');
      const recorded = entriesOf(folder);
      expect(recorded).toHaveLength(when === 'before' ? at - 1 : at);

      const continued = inProcess(folder);
      expect(continued.stderr).toBe('');
      expect(JSON.parse(continued.stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
      expect(entriesOf(folder).slice(0, recorded.length)).toEqual(recorded);
      expect(entriesOf(folder)).toHaveLength(KINDS.length);

      // Only what had begun and was not written down happens again, under the same key.
      const effects = effectsOf(folder);
      const repeated = effects.filter((line, index) => effects.indexOf(line) !== index);
      expect(repeated).toHaveLength(when === 'before' && at > 1 && at !== UNKNOWN_TOOL ? 1 : 0);
    },
  );
});
