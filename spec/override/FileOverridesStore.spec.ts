import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { FileOverridesStore, PromptOverridesError, type PromptOverrides } from 'toolwright/overrides';
import { overridesStoreContract } from '../../packages/contracts/spec/overridesStore.contract';

const desk = { ns: 'shop', key: 'desk' };
const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-overrides-'));
  folders.push(folder);
  return folder;
}

const newStore = (): FileOverridesStore => new FileOverridesStore(newFolder());
const bodies = (body: string): PromptOverrides => ({ sections: { orders: { body, bodyHash: 'h' } } });

/** A store whose file of `shop/desk` under `latest` holds a text. */
function storeHolding(text: string): FileOverridesStore {
  const store = newStore();
  const path = store.pathOf(desk, 'latest');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return store;
}

const document = (more: object = {}): string =>
  JSON.stringify({ version: 1, ns: 'shop', key: 'desk', tag: 'latest', ...bodies('One'), ...more });

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the store of overrides in files', () => {
  overridesStoreContract(newStore);

  test('the store of overrides in files keeps one file for each prompt and tag, which a person can read', async () => {
    const store = newStore();
    await store.write(desk, 'latest', bodies('One'));
    const path = join(store.root, 'shop', 'desk', 'latest.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(document()));
    expect(readFileSync(path, 'utf8')).toContain('\n  "sections": {\n');
  });

  test('a FileOverridesStore reads what another store wrote into the same folder', async () => {
    const store = newStore();
    await store.write(desk, 'latest', bodies('One'));
    expect(await new FileOverridesStore(store.root).read(desk, 'latest')).toEqual(bodies('One'));
  });

  test.each(['a/b', '..', '.', '../..', '/etc', 'a\\..\\b', '\u0000', '.hidden', 'end.'])(
    'no name leads out of its own two folders: %j',
    (name) => {
      const store = newStore();
      for (const prompt of [
        { ns: name, key: 'k' },
        { ns: 'n', key: name },
      ]) {
        const elements = relative(store.root, store.pathOf(prompt, 'latest')).split(/[\\/]/);
        expect(elements).toHaveLength(3);
        for (const element of elements) expect(element).toMatch(/^(?!\.)[\w.%-]+(?<!\.)$/);
      }
    },
  );

  test.each([
    ['no JSON', 'nonsense', /holds no JSON/],
    ['half of a file', document().slice(0, 40), /holds no JSON/],
    ['nothing', '', /holds no JSON/],
    ['another version', document({ version: 2 }), /is of version 2; 1 is expected/],
    ['no version', document({ version: undefined }), /is of version none/],
    ['JSON of something else', '[1]', /is of version none/],
    ['null', 'null', /is of version none/],
    ['the overrides of another prompt', document({ key: 'other' }), /holds the overrides of shop\/other \(latest\)/],
    ['the overrides of another tag', document({ tag: 'v2' }), /holds the overrides of shop\/desk \(v2\)/],
  ])('the store of overrides in files refuses a file that holds %s', async (_what, text, message) => {
    const read = storeHolding(text).read(desk, 'latest');
    await expect(read).rejects.toMatchObject({
      name: 'PromptOverridesError',
      code: 'E525',
      place: 'shop/desk (latest)',
    });
    await expect(read).rejects.toThrow(message);
  });

  test('a file that cannot be read, written or deleted is a fault with its cause', async () => {
    const store = newStore();
    mkdirSync(store.pathOf(desk, 'latest'), { recursive: true });
    const attempts = [
      () => store.read(desk, 'latest'),
      () => store.write(desk, 'latest', bodies('One')),
      () => store.delete(desk, 'latest'),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().catch((cause: unknown) => cause);
      expect(error instanceof PromptOverridesError && error.code).toBe('E525');
      expect((error as Error).cause).toMatchObject({ message: expect.stringContaining('EISDIR') as string });
    }
    expect(readdirSync(join(store.root, 'shop', 'desk'))).toEqual(['latest.json']);
  });

  test('a name too long for a file is a fault, too', async () => {
    const store = newStore();
    await expect(store.write({ ns: 'n'.repeat(300), key: 'k' }, 'latest', {})).rejects.toMatchObject({ code: 'E525' });
  });

  test('a link in the place of the file is replaced, and what it leads to stays', async () => {
    const store = storeHolding(document());
    const outside = join(newFolder(), 'outside.json');
    writeFileSync(outside, document());
    const path = store.pathOf(desk, 'latest');
    rmSync(path);
    symlinkSync(outside, path);
    await store.write(desk, 'latest', bodies('Two'));
    expect(readFileSync(outside, 'utf8')).toBe(document());
    expect(await store.read(desk, 'latest')).toEqual(bodies('Two'));
  });

  test('the last of many writers wins whole, and no reader sees a mix or a part', async () => {
    const root = newFolder();
    const whole = (writer: number): PromptOverrides => ({
      sections: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `s${String(index)}`,
          { body: `${String(writer)} `.repeat(500), bodyHash: 'h' },
        ]),
      ),
    });
    const versions = Array.from({ length: 12 }, (_, writer) => JSON.stringify(whole(writer)));
    await new FileOverridesStore(root).write(desk, 'latest', whole(0));
    const writing = { isOver: false };
    const seen = new Set<string>();
    const reading = (async () => {
      const store = new FileOverridesStore(root);
      while (!writing.isOver) seen.add(JSON.stringify(await store.read(desk, 'latest')));
    })();
    await Promise.all(
      versions.map(async (_, writer) => new FileOverridesStore(root).write(desk, 'latest', whole(writer))),
    );
    writing.isOver = true;
    await reading;
    const last = JSON.stringify(await new FileOverridesStore(root).read(desk, 'latest'));
    for (const text of [...seen, last]) expect(versions).toContain(text);
    expect(readdirSync(join(root, 'shop', 'desk'))).toEqual(['latest.json']);
  });

  test('reading makes no folder', async () => {
    const root = join(newFolder(), 'later');
    expect(await new FileOverridesStore(root).read(desk, 'latest')).toBeUndefined();
    await new FileOverridesStore(root).delete(desk, 'latest');
    expect(existsSync(root)).toBe(false);
  });
});
