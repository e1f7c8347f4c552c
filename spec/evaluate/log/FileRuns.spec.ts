import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { FileRuns, type FileRunsOptions, type LogEntry } from 'toolwright/conversations';
import { end, note, notes, question, textsOf } from './entries';

const root = mkdtempSync(join(tmpdir(), 'toolwright-runs-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});
let folders = 0;
const fresh = (): string => join(root, String(++folders));

/** A store of a folder of its own, and another one on the same folder, as another process would have it. */
function stores(options: FileRunsOptions = {}) {
  const folder = fresh();
  return { folder, store: new FileRuns(folder, options), other: new FileRuns(folder, options) };
}

/** A store with one log of three entries in two lines. */
async function written(options: FileRunsOptions = {}) {
  const made = stores(options);
  const { epoch } = await made.store.open('c');
  await made.store.append({ conversation: 'c', epoch, after: 0 }, notes('a', 'b'));
  await made.store.append({ conversation: 'c', epoch, after: 2 }, notes('c'));
  return { ...made, epoch, path: made.store.pathOf('c') };
}

const refusal = (problem: string | RegExp) => ({ code: 'E709', message: expect.stringMatching(problem) as string });
const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

describe('the files of FileRuns', () => {
  test('are readable for their owner only, one for each conversation, with a line for each append', async () => {
    const { folder, path } = await written();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual([basename(path)]);
    const [head = '', ...batches] = linesOf(path);
    expect([head].map((line) => Object.keys(JSON.parse(line) as object))).toEqual([
      ['sum', 'toolwright', 'version', 'epoch', 'after', 'id', 'writer', 'conversation'],
    ]);
    expect(batches.map((line) => JSON.parse(line) as unknown)).toEqual([
      [expect.stringMatching(/^[0-9a-f]{8}$/), 0, 0, expect.any(String), expect.any(Array)],
      [expect.stringMatching(/^[0-9a-f]{8}$/), 0, 2, expect.any(String), expect.any(Array)],
    ]);
  });

  test('are only appended to', async () => {
    const { store, path } = await written();
    const before = readFileSync(path);
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
  });

  test('lie in the folder itself under names that every file system takes, different ones for different ids', () => {
    const store = new FileRuns('/runs');
    const ids = [
      '../../etc/passwd',
      '..',
      '.',
      'C:\\x',
      'con',
      'NUL',
      'a\0b',
      'a',
      'A',
      'ä',
      'a\u0308',
      '\ud800',
      '\udfff',
    ];
    ids.push('=41', 'x'.repeat(5_000), 'X'.repeat(5_000), `${'x'.repeat(4_999)}y`, ' ', 'a ', 'a.', '__proto__', '💡');
    const names = ids.map((id) => {
      expect(dirname(store.pathOf(id))).toBe('/runs');
      return basename(store.pathOf(id));
    });
    for (const name of names) {
      expect(name).toMatch(/^[ch]-[a-z0-9=-]+\.jsonl$/);
      expect(name.length).toBeLessThan(143);
    }
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
  });

  test('hold any id, and give it back', async () => {
    const { store } = stores();
    const ids = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), 12);
    ids.push('../x', 'A', 'a', '\ud800', '\ud801', 'x'.repeat(9_000), '__proto__');
    const unique = [...new Set(ids)];
    for (const id of unique) {
      const { epoch } = await store.open(id);
      await store.append({ conversation: id, epoch, after: 0 }, notes(id.slice(0, 9)));
    }
    expect([...(await store.list())].sort()).toEqual(unique.sort());
    for (const id of unique) expect(textsOf(await store.entries(id))).toEqual([id.slice(0, 9)]);
  });

  test('beside others, which are left alone', async () => {
    const { store, folder } = await written();
    for (const name of ['notes.txt', 'c-.jsonl', 'c-A.jsonl', 'c-=61.jsonl', `h-${'0'.repeat(64)}.jsonl`, 'h-x.jsonl'])
      writeFileSync(join(folder, name), 'x\n');
    expect(await store.list()).toEqual(['c']);
  });

  test('ids have to be texts', async () => {
    const { store } = stores();
    for (const id of ['', undefined, 7])
      await expect(store.open(id as string)).rejects.toMatchObject(refusal('expected the id of a conversation'));
  });
});

describe('what a crash leaves behind', () => {
  test('a last line that was cut off at any byte does not count, and what follows it does', async () => {
    const { store, path, folder } = await written();
    const whole = readFileSync(path);
    const begins = whole.lastIndexOf('\n', whole.length - 2) + 1;
    const second = new FileRuns(folder);
    for (let length = begins + 1; length < whole.length - 1; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      expect(textsOf(await store.entries('c'))).toEqual(['a', 'b']);
      const { epoch, entries } = await second.open('c');
      expect(textsOf(entries)).toEqual(['a', 'b']);
      await second.append({ conversation: 'c', epoch, after: 2 }, notes('d', 'e'));
      expect(textsOf(await store.entries('c'))).toEqual(['a', 'b', 'd', 'e']);
    }
  });

  test('a line that lacks nothing but its end counts once it has got one', async () => {
    const { path, folder } = await written();
    truncateSync(path, statSync(path).size - 1);
    const second = new FileRuns(folder);
    const { epoch, entries } = await second.open('c');
    expect(textsOf(entries)).toEqual(['a', 'b', 'c']);
    await second.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    expect(textsOf(await second.entries('c'))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('the very first line as well', async () => {
    const { path, folder, store } = await written();
    const head = linesOf(path)[0]!;
    for (const length of [0, 1, 30, head.length - 1]) {
      writeFileSync(path, head.slice(0, length));
      expect(await store.entries('c')).toEqual([]);
      const { epoch, entries } = await new FileRuns(folder).open('c');
      expect(entries).toEqual([]);
      await store.append({ conversation: 'c', epoch, after: 0 }, notes('again'));
      expect(textsOf(await store.entries('c'))).toEqual(['again']);
    }
  });

  test('zeros in place of a last line, as a loss of power leaves them', async () => {
    const { path, folder } = await written();
    appendFileSync(path, Buffer.alloc(5_000));
    const { entries } = await new FileRuns(folder).open('c');
    expect(textsOf(entries)).toEqual(['a', 'b', 'c']);
    expect(textsOf(await new FileRuns(folder).entries('c'))).toEqual(['a', 'b', 'c']);
  });

  test('several lines that were cut off one after the other', async () => {
    const { path, folder } = await written();
    appendFileSync(path, '{"sum":"00');
    await new FileRuns(folder).open('c');
    appendFileSync(path, '{"su');
    await new FileRuns(folder).open('c');
    appendFileSync(path, '{"sum":"12345678","epo\n{"');
    const { epoch, entries } = await new FileRuns(folder).open('c');
    expect(textsOf(entries)).toEqual(['a', 'b', 'c']);
    await new FileRuns(folder).append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    expect(textsOf(await new FileRuns(folder).entries('c'))).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('damage', () => {
  const damages: readonly [what: string, change: (lines: string[]) => void, line: number][] = [
    ['a letter of an entry', (lines) => (lines[1] = lines[1]!.replace('"a"', '"x"')), 2],
    ['a line that is no JSON', (lines) => (lines[1] = 'x'), 2],
    ['an entry that was removed', (lines) => lines.splice(1, 1), 2],
    ['a head that was removed', (lines) => lines.splice(0, 1), 1],
    ['the head', (lines) => (lines[0] = lines[0]!.replace('"epoch":1', '"epoch":2')), 1],
    ['the last line, although it is whole', (lines) => (lines[2] = lines[2]!.replace('"c"', '"x"')), 3],
    ['lines in another order', (lines) => lines.splice(1, 2, lines[2]!, lines[1]!), 2],
  ];
  test.each(damages)('before the end is told with its line: %s', async (_what, change, line) => {
    const { path, folder } = await written();
    const lines = [...linesOf(path)];
    change(lines);
    writeFileSync(path, lines.map((each) => `${each}\n`).join(''));
    const store = new FileRuns(folder);
    const expected = { ...refusal('damaged'), place: `${path}:${String(line)}` };
    await expect(store.entries('c')).rejects.toMatchObject(expected);
    await expect(store.open('c')).rejects.toMatchObject(expected);
  });

  test('in the last entry that was there when another writer came is found', async () => {
    const { path, folder, other } = await written();
    await other.open('c');
    const lines = [...linesOf(path)];
    lines[2] = lines[2]!.slice(0, 40);
    writeFileSync(path, `${lines.join('\n')}\n`);
    await expect(new FileRuns(folder).open('c')).rejects.toMatchObject({ ...refusal('missing'), place: `${path}:3` });
  });

  test('a newer version is refused, whatever else has changed', async () => {
    const { path, folder, store, epoch } = await written();
    appendFileSync(path, '{"toolwright":"runs","version":3,"more":[]}\n');
    await expect(new FileRuns(folder).open('c')).rejects.toMatchObject({
      ...refusal('version 3'),
      place: `${path}:4`,
      remedy: expect.stringContaining('at least as new') as string,
    });
    await expect(store.append({ conversation: 'c', epoch, after: 3 }, notes('d'))).rejects.toMatchObject(
      refusal('version 3'),
    );
  });

  test('the file of another conversation is not taken for its own', async () => {
    const { path, store } = await written();
    copyFileSync(path, store.pathOf('d'));
    await expect(store.open('d')).rejects.toMatchObject(refusal('that of the conversation "c"'));
  });

  test('an append goes on from what was read before, and notices a file that was put in its place', async () => {
    const { path, store, epoch, folder } = await written();
    const copy = readFileSync(path);
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('d'));
    writeFileSync(path, copy);
    await expect(store.append({ conversation: 'c', epoch, after: 4 }, notes('e'))).rejects.toMatchObject(
      refusal('holds 3 entries'),
    );
    expect(textsOf(await new FileRuns(folder).entries('c'))).toEqual(['a', 'b', 'c']);
  });
});

describe('the fence of FileRuns', () => {
  test('refuses an append of an earlier epoch, and says who writes now, and what to do', async () => {
    const { store, other, epoch, path } = await written();
    const before = readFileSync(path, 'utf8');
    const { epoch: next } = await other.open('c');
    const late = store.append({ conversation: 'c', epoch, after: 3 }, notes('late'));
    await expect(late).rejects.toMatchObject({
      code: 'E709',
      phase: 'tool',
      place: 'conversation "c"',
      message: expect.stringContaining(
        `another writer has opened the log since: process ${String(process.pid)} of `,
      ) as string,
      remedy: expect.stringContaining('repeat nothing that it did outside') as string,
    });
    await expect(late).rejects.toThrow(
      `epoch ${String(next)}, and this append is of epoch ${String(epoch)}; 1 entry was not written`,
    );
    expect(readFileSync(path, 'utf8').startsWith(before)).toBe(true);
    expect(textsOf(await store.entries('c'))).toEqual(['a', 'b', 'c']);
  });

  test('ignores a line of an earlier epoch that was written nevertheless', async () => {
    const { path, other, store, epoch, folder } = await written();
    const size = statSync(path).size;
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('late'));
    const late = readFileSync(path).subarray(size);
    truncateSync(path, size);
    const { epoch: next } = await other.open('c');
    appendFileSync(path, late);
    expect(textsOf(await new FileRuns(folder).entries('c'))).toEqual(['a', 'b', 'c']);
    await other.append({ conversation: 'c', epoch: next, after: 3 }, notes('d'));
    expect(textsOf((await new FileRuns(folder).open('c')).entries)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('holds for a log that was deleted and begun again', async () => {
    const { store, other, epoch } = await written();
    await other.delete('c');
    await expect(store.append({ conversation: 'c', epoch, after: 3 }, notes('d'))).rejects.toMatchObject(
      refusal('deleted'),
    );
    const { epoch: next, entries } = await other.open('c');
    expect(entries).toEqual([]);
    await expect(store.append({ conversation: 'c', epoch, after: 0 }, notes('d'))).rejects.toMatchObject(
      refusal('not written'),
    );
    await other.append({ conversation: 'c', epoch: next, after: 0 }, notes('new'));
    expect(textsOf(await store.entries('c'))).toEqual(['new']);
  });

  test('gives every writer an epoch of its own, even if many open at once', async () => {
    const { folder } = stores();
    const opened = await Promise.all(Array.from({ length: 20 }, () => new FileRuns(folder).open('c')));
    expect(new Set(opened.map(({ epoch }) => epoch)).size).toBe(20);
    const newest = Math.max(...opened.map(({ epoch }) => epoch));
    const appended = await Promise.allSettled(
      opened.map(({ epoch }) =>
        new FileRuns(folder).append({ conversation: 'c', epoch, after: 0 }, notes(String(epoch))),
      ),
    );
    expect(appended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(textsOf(await new FileRuns(folder).entries('c'))).toEqual([String(newest)]);
  });
});

describe('replies', () => {
  test('of many at once, one is taken', async () => {
    const { folder, store } = stores();
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 0 }, [question('1.0'), question('1.1')]);
    const replies = Array.from({ length: 12 }, (_none, index) =>
      new FileRuns(folder).reply('c', '1.0', { kind: 'approved', by: String(index) }),
    );
    const answers = await Promise.all([...replies, new FileRuns(folder).reply('c', '1.1', { kind: 'approved' })]);
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(2);
    expect(textsOf((await store.open('c')).entries)).toEqual(['question', 'question', 'reply', 'reply']);
  });

  test('without a question are refused', async () => {
    const { store } = await written();
    const refused = { ...refusal('never was a question about the call "1.0"'), place: 'conversation "c"' };
    await expect(store.reply('c', '1.0', { kind: 'approved' })).rejects.toMatchObject(refused);
    await expect(store.reply('none', '1.0', { kind: 'approved' })).rejects.toMatchObject(
      refusal('never was a question'),
    );
  });

  test('a writer that goes on although a reply came in is told', async () => {
    const { store, other } = stores();
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 0 }, [question('1.0')]);
    await other.reply('c', '1.0', { kind: 'approved' });
    await expect(store.append({ conversation: 'c', epoch, after: 1 }, [end()])).rejects.toMatchObject(
      refusal('a reply came in'),
    );
  });
});

describe('encryption', () => {
  const aes = (key: Buffer): FileRunsOptions => ({
    encrypt: async (text, place) => {
      await Promise.resolve();
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    decrypt: async (sealed, place) => {
      await Promise.resolve();
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  });
  const key = randomBytes(32);

  test('keeps the entries from other readers of the file', async () => {
    const { store, path, epoch, folder } = await written(aes(key));
    await store.append({ conversation: 'c', epoch, after: 3 }, notes('sk-secret'));
    expect(readFileSync(path, 'utf8')).not.toMatch(/sk-secret|kind|note/);
    expect(textsOf((await new FileRuns(folder, aes(key)).open('c')).entries)).toEqual(['a', 'b', 'c', 'sk-secret']);
    expect(textsOf(await store.entries('c', 3))).toEqual(['sk-secret']);
    await store.append({ conversation: 'c', epoch: epoch + 1, after: 4 }, [question('1.0')]);
    expect(await store.reply('c', '1.0', { kind: 'approved' })).toBe('taken');
  });

  test('a wrong key, and none, are errors with the line', async () => {
    const { folder, path } = await written(aes(key));
    await expect(new FileRuns(folder, aes(randomBytes(32))).open('c')).rejects.toMatchObject({
      ...refusal('could not be decrypted'),
      place: `${path}:2`,
    });
    await expect(new FileRuns(folder).entries('c')).rejects.toMatchObject(refusal('is encrypted'));
  });

  test('a line that someone else has written without the key, or moved, is not believed', async () => {
    const { folder, path, epoch } = await written(aes(key));
    await new FileRuns(folder).append({ conversation: 'c', epoch, after: 3 }, notes('forged'));
    await expect(new FileRuns(folder, aes(key)).entries('c')).rejects.toMatchObject({
      ...refusal('not encrypted'),
      place: `${path}:4`,
    });
    const places: string[] = [];
    const { encrypt, decrypt } = aes(key);
    const told: FileRunsOptions = { encrypt: (text, place) => (places.push(place), encrypt!(text, place)), decrypt };
    const { epoch: first } = await written(told);
    expect(places).toEqual([`c/${String(first)}/0`, `c/${String(first)}/2`]);
  });

  test('functions that fail, and one without the other', async () => {
    const { folder } = stores();
    expect(() => new FileRuns(folder, { encrypt: (text) => text })).toThrow('were not both given');
    const fails = new FileRuns(folder, {
      encrypt: () => {
        throw new Error('no key');
      },
      decrypt: (text) => text,
    });
    const { epoch } = await fails.open('c');
    await expect(fails.append({ conversation: 'c', epoch, after: 0 }, notes('a'))).rejects.toMatchObject(
      refusal('could not be encrypted: no key'),
    );
  });
});

describe('sizes', () => {
  test('entries of 10 MB, and a log of many entries that is read in parts', async () => {
    const { store, folder } = stores();
    const { epoch } = await store.open('c');
    const big = 'ü'.repeat(5_000_000);
    await store.append({ conversation: 'c', epoch, after: 0 }, notes(big, 'b'));
    for (let after = 2; after < 52; after++)
      await store.append({ conversation: 'c', epoch, after }, notes(String(after)));
    const { entries } = await new FileRuns(folder).open('c');
    expect(entries).toHaveLength(52);
    expect(entries[0]).toEqual(note(big));
    expect(textsOf(await store.entries('c', 50))).toEqual(['50', '51']);
    expect(textsOf(await store.entries('c', 1)).slice(0, 2)).toEqual(['b', '2']);
    expect(await store.entries('c', 999)).toEqual([]);
  });

  test('entries that are no JSON are refused, and nothing is written', async () => {
    const { store } = stores();
    const { epoch } = await store.open('c');
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(
      store.append({ conversation: 'c', epoch, after: 0 }, [circle as unknown as LogEntry]),
    ).rejects.toMatchObject(refusal('no JSON'));
    await store.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    expect(textsOf(await store.entries('c'))).toEqual(['a']);
  });
});

const NOBODY = 65_534;

/** Runs work without the rights of root, whom no permission stops; the folder itself stays open to it. */
async function asUnprivileged<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  for (const each of [root, folder]) chmodSync(each, 0o755);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('folders that cannot be used', () => {
  test('one that is a file', async () => {
    const path = join(fresh());
    writeFileSync(path, '');
    const store = new FileRuns(path);
    await expect(store.open('c')).rejects.toMatchObject({ ...refusal('EEXIST|ENOTDIR'), place: path });
    for (const work of [
      store.entries('c'),
      store.list(),
      store.delete('c'),
      store.reply('c', '1', { kind: 'approved' }),
    ])
      await expect(work).rejects.toMatchObject(refusal('ENOTDIR'));
  });

  test('a file that is a folder', async () => {
    const { store } = stores();
    mkdirSync(store.pathOf('c'), { recursive: true });
    await expect(store.open('c')).rejects.toMatchObject(refusal('EISDIR'));
    await expect(store.entries('c')).rejects.toMatchObject(refusal('EISDIR'));
  });

  test('one without permission', async () => {
    const { store, folder, path, epoch } = await written();
    chmodSync(path, 0o400);
    const refused = expect(
      asUnprivileged(folder, () => store.append({ conversation: 'c', epoch, after: 3 }, notes('d'))),
    );
    await refused.rejects.toMatchObject(refusal('EACCES'));
  });

  test('without a folder there are no logs', async () => {
    const { store } = stores();
    expect(await store.list()).toEqual([]);
    expect(await store.entries('c')).toEqual([]);
    await store.delete('c');
  });
});
