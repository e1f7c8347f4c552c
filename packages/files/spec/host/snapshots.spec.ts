import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemClock } from 'toolwright';
import type { HostFilesystem } from '../../src/HostFilesystem';
import { diskTree } from './diskTree';
import { Folders } from './folders';
import { makePipe } from './makePipe';

const folders = new Folders();
const path = process.env['PATH'];
afterEach(async () => {
  process.env['PATH'] = path;
  await folders.remove();
});

/** A clock that is ahead, so that every file was changed long ago. */
const later = { ...systemClock, now: () => systemClock.now() + 3_600_000 };

async function opened(fill: (root: string) => void): Promise<{ fs: HostFilesystem; root: string }> {
  const root = await folders.folder();
  fill(root);
  return { fs: await folders.open(root), root };
}

const stampOf = (file: string): unknown => {
  const { ino, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
  return { ino, mtimeNs, ctimeNs };
};

describe('restoring', () => {
  test('HAND-24 a file that was made is gone after restoring', async () => {
    const { fs, root } = await opened((root) => writeFileSync(join(root, 'a'), '1'));
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    await fs.write('b', 'made');
    await fs.write('d/e/f', 'made');
    symlinkSync('a', join(root, 'link'));
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test('HAND-24 deleted files are back, and changed files are as they were', async () => {
    const { fs, root } = await opened((root) => {
      mkdirSync(join(root, 'd/empty'), { recursive: true });
      writeFileSync(join(root, 'd/a'), '1');
      writeFileSync(join(root, 'b'), 'text');
      writeFileSync(join(root, 'same size'), 'abc');
    });
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    await fs.delete('d', { recursive: true });
    await fs.edit('b', 'text', 'other');
    writeFileSync(join(root, 'same size'), 'xyz');
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test('HAND-24 modes are kept, of directories as well', async () => {
    const { fs, root } = await opened((root) => {
      for (const mode of [0o755, 0o600, 0o444, 0o4755, 0o400]) {
        writeFileSync(join(root, mode.toString(8)), mode.toString(8));
        chmodSync(join(root, mode.toString(8)), mode);
      }
      for (const mode of [0o700, 0o711, 0o1777]) {
        mkdirSync(join(root, `d${mode.toString(8)}`));
        writeFileSync(join(root, `d${mode.toString(8)}/a`), '');
        chmodSync(join(root, `d${mode.toString(8)}`), mode);
      }
    });
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    for (const name of readdirSync(root)) chmodSync(join(root, name), 0o750);
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test('an entry that was replaced by another kind is what it was', async () => {
    const kinds: Readonly<Record<string, (path: string) => void>> = {
      file: (path) => writeFileSync(path, 'x'),
      directory: (path) => {
        mkdirSync(path);
        writeFileSync(join(path, 'below'), 'x');
      },
      link: (path) => symlinkSync('elsewhere', path),
      otherLink: (path) => symlinkSync('/etc', path),
      pipe: makePipe,
    };
    const pairs = ['file', 'directory', 'link'].flatMap((was) => Object.keys(kinds).map((is) => [was, is] as const));
    const { fs, root } = await opened((root) => {
      for (const [was, is] of pairs) kinds[was]!(join(root, `${was} ${is}`));
    });
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    for (const [was, is] of pairs) {
      rmSync(join(root, `${was} ${is}`), { recursive: true });
      kinds[is]!(join(root, `${was} ${is}`));
    }
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test('an entry that has not changed is not touched', async () => {
    const { fs, root } = await opened((root) => {
      mkdirSync(join(root, 'd'));
      for (const name of ['a', 'd/b', 'c']) writeFileSync(join(root, name), name);
      symlinkSync('a', join(root, 'link'));
    });
    const snapshot = await fs.snapshot();
    const before = ['a', 'd/b', 'link'].map((name) => stampOf(join(root, name)));
    await fs.write('c', 'changed');
    await fs.restore(snapshot);
    await fs.restore(snapshot);
    expect(['a', 'd/b', 'link'].map((name) => stampOf(join(root, name)))).toEqual(before);
    expect(readFileSync(join(root, 'c'), 'utf8')).toBe('c');
  });

  test('a file that is read only changed its times, and keeps them', async () => {
    const { fs, root } = await opened((root) => writeFileSync(join(root, 'a'), 'x'));
    const snapshot = await fs.snapshot();
    writeFileSync(join(root, 'a'), 'x');
    const before = stampOf(join(root, 'a'));
    await fs.restore(snapshot);
    expect(stampOf(join(root, 'a'))).toEqual(before);
  });

  test('snapshots outlive what comes after them, in any order', async () => {
    const { fs, root } = await opened((root) => writeFileSync(join(root, 'a'), '0'));
    const trees = [];
    const snapshots = [];
    for (let step = 0; step < 5; step++) {
      await fs.write('a', String(step));
      await fs.write(`d${String(step % 2)}/x`, 'x'.repeat(step));
      trees.push(diskTree(root));
      snapshots.push(await fs.snapshot());
    }
    for (const index of [4, 0, 3, 3, 1, 2, 0]) {
      await fs.restore(snapshots[index]!);
      expect(diskTree(root)).toEqual(trees[index]);
    }
  });
});

describe('a snapshot holds', () => {
  test("a snapshot holds bytes as they are, whatever git's attributes say", async () => {
    const { fs, root } = await opened((root) => {
      writeFileSync(
        join(root, '.gitattributes'),
        '* text eol=crlf working-tree-encoding=UTF-16 ident filter=upper\n*.bin filter=lfs\n',
      );
      writeFileSync(join(root, '.gitconfig'), '[core]\n\tautocrlf = true\n[filter "upper"]\n\tclean = tr a-z A-Z\n');
      writeFileSync(join(root, 'unix'), 'a\nb\n$Id$\n');
      writeFileSync(join(root, 'dos'), 'a\r\nb\r\n');
      writeFileSync(join(root, 'x.bin'), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)));
      writeFileSync(join(root, 'empty'), '');
    });
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    for (const name of readdirSync(root)) writeFileSync(join(root, name), 'changed');
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test('a snapshot holds what git would leave out: ignored files, nested repositories, empty directories', async () => {
    const { fs, root } = await opened((root) => {
      writeFileSync(join(root, '.gitignore'), 'ignored\nnode_modules\n');
      writeFileSync(join(root, 'ignored'), 'x');
      mkdirSync(join(root, 'node_modules/empty'), { recursive: true });
      writeFileSync(join(root, 'node_modules/a'), 'x');
      mkdirSync(join(root, 'nested/src'), { recursive: true });
      execFileSync('git', ['init', '--quiet'], { cwd: join(root, 'nested') });
      writeFileSync(join(root, 'nested/src/a'), 'x');
    });
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    for (const name of ['ignored', 'node_modules', 'nested/src']) await fs.delete(name, { recursive: true });
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test('links as links, never what they lead to', async () => {
    const other = await folders.folder();
    writeFileSync(join(other, 'secret'), 'secret');
    const { fs, root } = await opened((root) => {
      symlinkSync(other, join(root, 'directory'));
      symlinkSync(join(other, 'secret'), join(root, 'file'));
      symlinkSync('gone', join(root, 'broken'));
    });
    const before = [diskTree(root), diskTree(other)];
    const snapshot = await fs.snapshot();
    for (const name of ['directory', 'file', 'broken']) unlinkSync(join(root, name));
    writeFileSync(join(root, 'file'), 'a file now');
    await fs.restore(snapshot);
    expect([diskTree(root), diskTree(other)]).toEqual(before);
    expect(readlinkSync(join(root, 'broken'))).toBe('gone');
  });

  test("nothing of a user's repository, which is as before also when it was begun or changed since", async () => {
    const { fs, root } = await opened((root) => {
      execFileSync('git', ['init', '--quiet'], { cwd: root });
      writeFileSync(join(root, 'a'), 'x');
    });
    const snapshot = await fs.snapshot();
    writeFileSync(join(root, '.git/description'), 'changed');
    mkdirSync(join(root, 'cloned'));
    writeFileSync(join(root, 'cloned/a'), 'x');
    execFileSync('git', ['init', '--quiet'], { cwd: join(root, 'cloned') });
    const repositories = [diskTree(join(root, '.git')), diskTree(join(root, 'cloned/.git'))];
    await fs.restore(snapshot);
    expect([diskTree(join(root, '.git')), diskTree(join(root, 'cloned/.git'))]).toEqual(repositories);
    expect(readdirSync(join(root, 'cloned'))).toEqual(['.git']);
  });

  test('files larger than git keeps in memory', async () => {
    const { fs, root } = await opened(() => {});
    const content = Buffer.alloc(20_000_000, 'some text ');
    writeFileSync(join(root, 'large'), content);
    const snapshot = await fs.snapshot();
    unlinkSync(join(root, 'large'));
    await fs.restore(snapshot);
    expect(readFileSync(join(root, 'large')).equals(content)).toBe(true);
  });
});

describe('a snapshot', () => {
  test('a snapshot reads only what has changed since the last one', async () => {
    const root = await folders.folder();
    for (const name of ['a', 'b']) writeFileSync(join(root, name), name);
    const fs = await folders.open(root, { clock: later });
    const first = await fs.snapshot();
    // Without git no content can be kept any more: none has to be.
    process.env['PATH'] = '';
    await fs.snapshot();
    await fs.snapshot();
    await fs.restore(first);
    await fs.write('a', 'changed');
    await expect(fs.snapshot()).rejects.toMatchObject({ name: 'ResourceError', code: 'E907' });
    process.env['PATH'] = path;
    await fs.restore(first);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('a');
  });

  test('a snapshot sees two changes within one tick of the clock of the disk', async () => {
    const { fs, root } = await opened(() => {});
    for (let round = 0; round < 30; round++) {
      const [first, second] = [`${String(round)}a`, `${String(round)}b`];
      writeFileSync(join(root, 'a'), first);
      await fs.snapshot();
      writeFileSync(join(root, 'a'), second);
      const snapshot = await fs.snapshot();
      unlinkSync(join(root, 'a'));
      await fs.restore(snapshot);
      expect(readFileSync(join(root, 'a'), 'utf8')).toBe(second);
    }
  });

  test('a snapshot belongs to one filesystem, and can be neither changed nor forged', async () => {
    const { fs, root } = await opened((root) => writeFileSync(join(root, 'a'), '1'));
    const snapshot = await fs.snapshot();
    expect(Object.isFrozen(snapshot)).toBe(true);
    expect(snapshot).toEqual({ filesystem: 'HostFilesystem' });
    await fs.write('a', '2');
    const other = await folders.open(root);
    for (const refused of [fs.restore({ ...snapshot }), other.restore(snapshot)])
      await expect(refused).rejects.toMatchObject({ name: 'ResourceError', code: 'E905' });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('2');
  });

  test('a snapshot waits for the writes before it, and those after it wait', async () => {
    const { fs } = await opened(() => {});
    const writes = [];
    const snapshots = [];
    for (let number = 0; number < 10; number++) {
      writes.push(fs.write(`f${String(number)}`, 'x'));
      snapshots.push(fs.snapshot());
    }
    await Promise.all(writes);
    for (const [number, snapshot] of (await Promise.all(snapshots)).entries()) {
      await fs.restore(snapshot);
      expect(await fs.glob('**')).toHaveLength(number + 1);
    }
  });

  test('a snapshot leaves no unfinished file, also when writing fails', async () => {
    const { fs, root } = await opened((root) => mkdirSync(join(root, 'd')));
    await Promise.allSettled([fs.write('d', 'x'), fs.write('a/b', 'x'), fs.edit('a/b', 'y', 'x'), fs.write('a', 'x')]);
    expect(Object.keys(diskTree(root))).toEqual(['a', 'a/b', 'd']);
    expect(statSync(join(root, 'a')).isDirectory()).toBe(true);
  });
});
