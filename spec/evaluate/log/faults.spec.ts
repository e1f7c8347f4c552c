import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileRuns } from 'toolwright/conversations';
import { notes, textsOf } from './entries';

interface Fault {
  /** The call of the file's handle that fails, counted from the next one. */
  readonly in: 'write' | 'datasync' | 'read';
  readonly code: string;
  /** How many bytes are written all the same; without an error, if there is no code. */
  readonly bytes?: number;
}
const faults: Fault[] = [];

function failing(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** The handle, but its next call of the fault's kind fails. */
function wrapped(handle: FileHandle): FileHandle {
  return new Proxy(handle, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const fault = faults[0];
        if (fault?.in !== name) return (value as (...all: readonly unknown[]) => unknown).apply(target, [...args]);
        faults.shift();
        const { bytes = 0, code } = fault;
        const written = bytes === 0 ? undefined : await target.write((args[0] as Buffer).subarray(0, bytes));
        if (code === '') return written;
        throw failing(code);
      };
    },
  });
}

jest.mock('node:fs/promises', () => {
  const actual = jest.requireActual<typeof files>('node:fs/promises');
  return {
    ...actual,
    open: async (...args: Parameters<typeof actual.open>) => wrapped(await actual.open(...args)),
  };
});

const root = mkdtempSync(join(tmpdir(), 'toolwright-faults-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});
let folders = 0;

async function opened() {
  faults.length = 0;
  const store = new FileRuns(join(root, String(++folders)));
  const { epoch } = await store.open('c');
  const append = (after: number, ...texts: readonly string[]): Promise<void> =>
    store.append({ conversation: 'c', epoch, after }, notes(...texts));
  await append(0, 'a');
  return { store, append, epoch, path: store.pathOf('c') };
}

/** What another process finds. */
const foundIn = async (store: FileRuns): Promise<readonly string[]> =>
  textsOf(await new FileRuns(store.folder).entries('c'));

describe('FileRuns on a disk that fails', () => {
  test.each<[string, Fault, RegExp]>([
    ['full at once', { in: 'write', code: 'ENOSPC' }, /could not be written: ENOSPC/],
    ['full in the middle of a line', { in: 'write', code: 'ENOSPC', bytes: 100 }, /could not be written: ENOSPC/],
    ['that takes a part', { in: 'write', code: '', bytes: 70 }, /only 70 of \d+ bytes were written/],
    ['that fails', { in: 'write', code: 'EIO' }, /could not be written: EIO/],
    ['that cannot be read', { in: 'read', code: 'EIO' }, /could not be written: EIO/],
  ])('%s: nothing of the append is there, and a repetition is written once', async (_name, fault, message) => {
    const { store, append, path } = await opened();
    faults.push(fault);
    await expect(append(1, 'b', 'c')).rejects.toMatchObject({
      code: 'E709',
      place: path,
      message: expect.stringMatching(message) as string,
      remedy: expect.stringContaining('in the log once') as string,
    });
    expect(await foundIn(store)).toEqual(['a']);
    await append(1, 'b', 'c');
    await append(3, 'd');
    expect(await foundIn(store)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('full in the middle of a line, and another process opens it before there is room', async () => {
    const { store, append } = await opened();
    faults.push({ in: 'write', code: 'ENOSPC', bytes: 100 });
    await expect(append(1, 'b')).rejects.toThrow('ENOSPC');
    const { entries, epoch } = await new FileRuns(store.folder).open('c');
    expect(textsOf(entries)).toEqual(['a']);
    await store.append({ conversation: 'c', epoch, after: 1 }, notes('other'));
    await expect(append(1, 'b')).rejects.toThrow('another writer has opened');
    expect(await foundIn(store)).toEqual(['a', 'other']);
  });

  test('that lacks only the end of a line: a repetition finds it there', async () => {
    const { store, append, path } = await opened();
    await append(1, 'b');
    const length = readFileSync(path, 'utf8').split('\n')[2]!.length;
    faults.push({ in: 'write', code: 'ENOSPC', bytes: length });
    await expect(append(2, 'c')).rejects.toThrow('ENOSPC');
    await append(2, 'c');
    await append(3, 'd');
    expect(await foundIn(store)).toEqual(['a', 'b', 'c', 'd']);
    // Not merely a duplicate: something else at this place is refused.
    faults.push({ in: 'write', code: 'ENOSPC', bytes: length });
    await expect(append(4, 'e')).rejects.toThrow('ENOSPC');
    await expect(append(4, 'f')).rejects.toThrow('other entries stand after the first 4');
  });

  test('whose sync fails: the repetition writes the line again, since what was written may be lost', async () => {
    const { store, append, path } = await opened();
    faults.push({ in: 'datasync', code: 'EIO' });
    await expect(append(1, 'b')).rejects.toThrow('EIO');
    const before = readFileSync(path, 'utf8').split('\n').length;
    await append(1, 'b');
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(before + 1);
    await append(1, 'b');
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(before + 1);
    await append(2, 'c');
    expect(await foundIn(store)).toEqual(['a', 'b', 'c']);
    // The first of the two was lost with the power: the second one counts.
    const other = new FileRuns(`${store.folder}-copy`);
    await other.open('x');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[2] = '\0'.repeat(lines[2]!.length);
    writeFileSync(other.pathOf('c'), lines.join('\n'));
    expect(await foundIn(other)).toEqual(['a', 'b', 'c']);
  });

  test.each<Fault>([
    { in: 'write', code: 'ENOSPC', bytes: 30 },
    { in: 'datasync', code: 'EIO' },
  ])('when a writer opens it: %j', async (fault) => {
    const { store } = await opened();
    faults.push(fault);
    await expect(store.open('c')).rejects.toMatchObject({ code: 'E709', place: store.pathOf('c') });
    const { entries, epoch } = await store.open('c');
    expect(textsOf(entries)).toEqual(['a']);
    await store.append({ conversation: 'c', epoch, after: 1 }, notes('b'));
    expect(await foundIn(store)).toEqual(['a', 'b']);
  });
});
