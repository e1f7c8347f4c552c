import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEntry } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { bundledProject } from '../../toolchain/support/bundledProject.js';
import { Workspace } from '../../toolchain/support/Workspace.js';
import { shop, type Kill, type ShopOptions } from './shop.js';

jest.setTimeout(120_000);
const workspace = new Workspace();
const folders: string[] = [];
afterAll(() => {
  workspace.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const main = `
  import { shop } from './shop.js';
  const [folder, options] = process.argv.slice(2);
  await shop(folder, JSON.parse(options));
`;
let project = '';
beforeAll(async () => {
  project = await bundledProject(workspace, join(__dirname, 'shop.ts'), main);
});

/** Runs the shop in a process of its own; returns what ended it. */
function inProcess(folder: string, options: ShopOptions) {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const args = ['bundled/main.js', folder, JSON.stringify(options)];
  return spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
}

function killed(folder: string, options: ShopOptions & { readonly kill: Kill }): void {
  const { signal, stderr } = inProcess(folder, options);
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
}

const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-resume-'));
  folders.push(folder);
  return folder;
};
const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
const stores = new Map<string, SqliteRuns>();
afterEach(async () => {
  await Promise.all([...stores.values()].map((store) => store.close()));
  stores.clear();
});
/** The store of this process. */
function storeOf(folder: string): SqliteRuns {
  const store = stores.get(folder) ?? new SqliteRuns(join(folder, 'runs.db'));
  stores.set(folder, store);
  return store;
}
/** Runs the shop in this process. */
const shopHere = (folder: string, options?: ShopOptions): ReturnType<typeof shop> =>
  shop(folder, options, storeOf(folder));
const entriesOf = (folder: string): Promise<readonly RunEntry[]> => storeOf(folder).entries('shop');
const effectsOf = (folder: string): readonly string[] => linesOf(join(folder, 'effects.txt'));
const repeatedIn = (folder: string): readonly string[] => {
  const effects = effectsOf(folder);
  return effects.filter((line, index) => effects.indexOf(line) !== index);
};
const kindsOf = (entries: readonly RunEntry[]): readonly string[] => entries.map(({ kind }) => kind);

const undisturbedBy = new Map<string, ReturnType<typeof shop>>();
/** What a run with these options comes to, each tried once. */
function undisturbed(options: ShopOptions): ReturnType<typeof shop> {
  const key = JSON.stringify(options);
  const known = undisturbedBy.get(key) ?? shopHere(fresh(), options);
  undisturbedBy.set(key, known);
  return known;
}

const HEAD = ['conversation', 'model', 'run'];
const CALL = ['begun', 'outcome'];
/** The outcome without a beginning is the one of a tool that does not exist. */
const KINDS = [...HEAD, 'answer', ...CALL, ...CALL, ...CALL, 'answer', ...CALL, 'outcome', ...CALL, 'answer', 'end'];
const KEYED = KINDS.filter((kind) => kind !== 'begun');

const momentsIn = (kinds: readonly string[]) =>
  kinds.flatMap((kind, index) => (['before', 'after'] as const).map((when) => [when, kind, index + 1] as const));

describe('DUR-01 a run whose process is killed', () => {
  test('an undisturbed run records itself, each answer, and each call before and after it', async () => {
    const folder = fresh();
    expect(await shopHere(folder)).toMatchObject({ text: 'Done.', items: ['apple', 'bread', 'milk', 'salt'] });
    expect(kindsOf(await entriesOf(folder))).toEqual(KINDS);
    expect(effectsOf(folder)).toHaveLength(8);
  });

  test('the next message in another process: everything before it is as it was, and so is the state', async () => {
    const folder = fresh();
    expect(inProcess(folder, {})).toMatchObject({ status: 0, stderr: '' });
    const before = await entriesOf(folder);
    const first = await undisturbed({});
    const second = await shopHere(folder, { message: 'Thank you.', runId: 'r-2' });
    expect(second).toMatchObject({ text: 'You are welcome.', items: first.items });
    expect(second.transcript).toEqual([
      ...first.transcript,
      { role: 'user', content: 'Thank you.' },
      { role: 'assistant', content: 'You are welcome.' },
    ]);
    const entries = await entriesOf(folder);
    expect(entries.slice(0, before.length)).toEqual(before);
    expect(kindsOf(entries.slice(before.length))).toEqual(['run', 'answer', 'end']);
  });

  test.each(momentsIn(KINDS))(
    'a run killed by SIGKILL %s the %s of entry %i and continued reaches the same result, and repeats no recorded step',
    async (when, kind, at) => {
      const expected = await undisturbed({});
      const folder = fresh();
      killed(folder, { kill: { when, at } });
      const recorded = await entriesOf(folder);
      // Entries that were waiting for each other are written at once.
      if (when === 'before') expect(recorded.length).toBeLessThan(at);
      else expect(recorded.length).toBeGreaterThanOrEqual(at);

      const continued = await shopHere(folder, { onUnknown: 'repeat' });
      expect(continued).toEqual(expected);
      const entries = await entriesOf(folder);
      expect(entries.slice(0, recorded.length)).toEqual(recorded);
      // A call that began and is repeated begins twice.
      expect([...new Set(entries.map((entry) => JSON.stringify(entry)))]).toHaveLength(KINDS.length);

      // Only what had begun and was not recorded happens again, under the same key.
      // The last answer is written with the end of the run.
      const isLost =
        when === 'before' &&
        (kind === 'answer' || kind === 'end' || (kind === 'outcome' && recorded.at(-1)?.kind === 'begun'));
      expect(repeatedIn(folder)).toHaveLength(isLost ? 1 : 0);
    },
  );

  // Entries that are written at once have one moment before them, and one after them.
  const moments = momentsIn(KEYED).filter(([, , at]) => [1, 4, 5, 9, 13].includes(at));
  test.each(moments)(
    'a run killed by SIGKILL %s the %s of entry %i, with repeatable calls, reaches the same result with the same keys',
    async (when, _kind, at) => {
      const folder = fresh();
      killed(folder, { idempotent: true, kill: { when, at } });
      const recorded = await entriesOf(folder);
      const done = effectsOf(folder);
      expect(await shopHere(folder, { idempotent: true })).toEqual(await undisturbed({ idempotent: true }));
      const entries = await entriesOf(folder);
      expect(entries.slice(0, recorded.length)).toEqual(recorded);
      expect(kindsOf(entries)).toEqual(KEYED);
      // At most the calls of one turn, and the request after them.
      const answered = recorded.filter(({ kind }) => kind === 'answer').length;
      expect(repeatedIn(folder)).toEqual(done.slice([0, 1, 5, 8][answered]));
    },
  );

  const inDoubt = momentsIn(KINDS).filter(
    ([when, kind, at]) => (when === 'after' && kind === 'begun') || (when === 'before' && KINDS[at - 2] === 'begun'),
  );
  test.each(inDoubt)(
    'a run killed by SIGKILL %s the %s of entry %i repeats nothing by default: the model reads that the effect is not known',
    async (when, _kind, at) => {
      const folder = fresh();
      killed(folder, { kill: { when, at } });
      const began = effectsOf(folder);
      const { text, transcript } = await shopHere(folder);
      expect(text).toBe('Done.');
      const unknown = transcript.filter(({ content }) => content?.includes('It is not known whether it had an effect'));
      expect(unknown).toMatchObject([{ role: 'tool', name: 'add', failed: true }]);
      expect(effectsOf(folder).slice(0, began.length)).toEqual(began);
      expect(repeatedIn(folder)).toEqual([]);
      expect(effectsOf(folder)).toHaveLength(when === 'before' ? 8 : 7);
    },
  );
});
