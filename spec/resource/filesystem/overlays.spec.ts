import { ResourceError } from '../../../src/error/infrastructureErrors';
import { TransactionClosedError } from '../../../src/error/toolErrors';
import type { Filesystem } from '../../../src/interface/Filesystem';
import { InMemoryFilesystem } from '../../../src/resource/filesystem/InMemoryFilesystem';

const files = { 'a/x': 'one\n', 'a/y': 'two\n', 'b/z': 'three\n', top: 'four\n' };
const filesOf = (fs: InMemoryFilesystem) => ({ ...fs.files() });

describe('an overlay', () => {
  test('HAND-24 an overlay sees its own writes, and no other reader does before the commit', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    await overlay.write('a/x', 'mine\n');
    await overlay.write('new/file', 'new\n');
    await overlay.delete('b', { recursive: true });
    expect(filesOf(fs)).toEqual(files);
    expect(filesOf(overlay)).toEqual({ 'a/x': 'mine\n', 'a/y': 'two\n', 'new/file': 'new\n', top: 'four\n' });
    fs.commit(overlay);
    expect(filesOf(fs)).toEqual({ 'a/x': 'mine\n', 'a/y': 'two\n', 'new/file': 'new\n', top: 'four\n' });
  });

  test('HAND-24 a dropped overlay leaves nothing: created files are gone, deleted ones are back', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    await overlay.write('new', '1');
    await overlay.delete('a', { recursive: true });
    await overlay.mkdir('empty');
    expect(filesOf(fs)).toEqual(files);
    expect(await fs.exists('empty')).toBe(false);
  });

  test('an overlay reads the state with which it began, whatever comes after', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    await fs.write('a/x', 'changed\n');
    await fs.delete('top');
    expect(filesOf(overlay)).toEqual(files);
  });

  test('HAND-28 an overlay may have savepoints, which are merged or dropped', async () => {
    const fs = new InMemoryFilesystem({ files });
    const outer = fs.begin();
    await outer.write('outer', '1');
    const inner = outer.begin();
    await inner.write('inner', '2');
    const dropped = outer.begin();
    await dropped.write('dropped', '3');
    outer.commit(inner);
    expect(await fs.exists('inner')).toBe(false);
    await fs.write('meanwhile', '4');
    fs.commit(outer);
    expect(filesOf(fs)).toEqual({ ...files, outer: '1', inner: '2', meanwhile: '4' });
  });

  test('an overlay refuses all use once it was merged, and so does what was begun on it', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    const savepoint = overlay.begin();
    await savepoint.write('late', '1');
    fs.commit(overlay);
    const late: (() => Promise<unknown>)[] = [
      () => overlay.write('late', '1'),
      () => overlay.read('top'),
      () => overlay.exists('top'),
      () => overlay.glob('**'),
      () => overlay.grep('x'),
      () => overlay.snapshot(),
      () => overlay.restore({ filesystem: 'InMemoryFilesystem' }),
      () => savepoint.write('late', '2'),
      () => savepoint.list(),
    ];
    for (const act of late) await expect(act()).rejects.toBeInstanceOf(TransactionClosedError);
    for (const act of [() => overlay.begin(), () => overlay.files(), () => fs.commit(overlay)])
      expect(act).toThrow(TransactionClosedError);
    expect(() => overlay.commit(savepoint)).toThrow(TransactionClosedError);
    expect(filesOf(fs)).toEqual(files);
  });

  test('late writes of a call that was given up go nowhere', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    await overlay.write('late', '1');
    fs.commit(fs.begin());
    await overlay.write('later', '2');
    expect(filesOf(fs)).toEqual(files);
  });

  test('an overlay can be merged only where it was begun', () => {
    const fs = new InMemoryFilesystem();
    const elsewhere = new InMemoryFilesystem().begin();
    for (const act of [() => fs.commit(elsewhere), () => fs.conflicts(elsewhere), () => fs.commit(fs.begin().begin())])
      expect(act).toThrow(ResourceError);
    expect(() => fs.commit(fs)).toThrow(/E905 .*\n {2}fix: .+begin\(\)/);
  });

  test('CONC-08 an overlay says whether it was written into', async () => {
    const fs = new InMemoryFilesystem({ files });
    const reader = fs.begin();
    await reader.read('top');
    await reader.mkdir('a');
    await reader.delete('missing').catch(() => undefined);
    expect(fs.changed(reader)).toBe(false);
    for (const write of [
      (overlay: Filesystem) => overlay.write('top', 'four\n'),
      (overlay: Filesystem) => overlay.edit('top', 'four', 'five'),
      (overlay: Filesystem) => overlay.delete('top'),
      (overlay: Filesystem) => overlay.mkdir('new'),
      async (overlay: Filesystem) => overlay.restore(await overlay.snapshot()),
    ]) {
      const writer = fs.begin();
      await write(writer);
      expect(fs.changed(writer)).toBe(true);
    }
  });
});

type Act = (fs: Filesystem) => Promise<unknown>;

/** Operations of the overlay, operations past it, and whether they conflict. */
const conflicts: readonly (readonly [string, Act, Act, boolean])[] = [
  ['read · same file written', (fs) => fs.read('a/x'), (fs) => fs.write('a/x', 'q'), true],
  ['read · same file deleted', (fs) => fs.read('a/x'), (fs) => fs.delete('a/x'), true],
  ['read · directory above deleted', (fs) => fs.read('a/x'), (fs) => fs.delete('a', { recursive: true }), true],
  ['read · written with the same text', (fs) => fs.read('a/x'), (fs) => fs.write('a/x', 'one\n'), false],
  ['read · another file written', (fs) => fs.read('a/x'), (fs) => fs.write('a/y', 'q'), false],
  ['read nothing · written', (fs) => fs.read('q').catch(() => 0), (fs) => fs.write('q', 'q'), true],
  ['exists · written', (fs) => fs.exists('a/x'), (fs) => fs.write('a/x', 'q'), false],
  ['exists · deleted', (fs) => fs.exists('a/x'), (fs) => fs.delete('a/x'), true],
  ['exists not · written', (fs) => fs.exists('q'), (fs) => fs.write('q', 'q'), true],
  ['stat of a file · written', (fs) => fs.stat('a/x'), (fs) => fs.write('a/x', 'q'), true],
  ['stat of a directory · file in it', (fs) => fs.stat('a'), (fs) => fs.write('a/new', 'q'), false],
  ['list · file written', (fs) => fs.list('a'), (fs) => fs.write('a/x', 'q'), false],
  ['list · file added', (fs) => fs.list('a'), (fs) => fs.write('a/new', 'q'), true],
  ['list · file gone', (fs) => fs.list('a'), (fs) => fs.delete('a/x'), true],
  ['list · added further below', (fs) => fs.list('/'), (fs) => fs.write('a/new', 'q'), false],
  ['list · added elsewhere', (fs) => fs.list('a'), (fs) => fs.write('b/new', 'q'), false],
  ['glob · a match added', (fs) => fs.glob('a/*'), (fs) => fs.write('a/new', 'q'), true],
  ['glob · a match gone', (fs) => fs.glob('a/*'), (fs) => fs.delete('a/x'), true],
  ['glob · a match written', (fs) => fs.glob('a/*'), (fs) => fs.write('a/x', 'q'), false],
  ['glob · no match added', (fs) => fs.glob('*.ts'), (fs) => fs.write('a/new.js', 'q'), false],
  ['glob · outside of its directory', (fs) => fs.glob('*', { path: 'a' }), (fs) => fs.write('b/new', 'q'), false],
  ['grep · a file written', (fs) => fs.grep('e'), (fs) => fs.write('b/z', 'q'), true],
  ['grep · a file that it skips', (fs) => fs.grep('e', { glob: 'a/*' }), (fs) => fs.write('b/z', 'q'), false],
  ['grep of one file · written', (fs) => fs.grep('e', { path: 'a/x' }), (fs) => fs.write('a/x', 'q'), true],
  [
    'glob and grep · written',
    async (fs) => [await fs.glob('x'), await fs.grep('e', { glob: 'x' })],
    (fs) => fs.write('a/x', 'q'),
    true,
  ],
  [
    'grep and glob · written',
    async (fs) => [await fs.grep('e', { glob: 'x' }), await fs.glob('x')],
    (fs) => fs.write('a/x', 'q'),
    true,
  ],
  ['overwrite · same file written', (fs) => fs.write('a/x', 'w'), (fs) => fs.write('a/x', 'q'), false],
  ['overwrite · same file deleted', (fs) => fs.write('a/x', 'w'), (fs) => fs.delete('a/x'), false],
  ['overwrite · a directory now', (fs) => fs.write('q', 'w'), (fs) => fs.mkdir('q'), true],
  ['overwrite · a file in the way now', (fs) => fs.write('q/r', 'w'), (fs) => fs.write('q', 'q'), true],
  ['write · same directory made', (fs) => fs.write('q/r', 'w'), (fs) => fs.write('q/s', 'q'), false],
  [
    'write without parents · parent gone',
    (fs) => fs.write('b/w', 'w', { createParents: false }),
    (fs) => fs.delete('b', { recursive: true }),
    true,
  ],
  ['create · created', (fs) => fs.write('q', 'w', { mode: 'create' }), (fs) => fs.write('q', 'q'), true],
  ['append · written', (fs) => fs.write('a/x', 'w', { mode: 'append' }), (fs) => fs.write('a/x', 'q'), true],
  ['append to nothing · written', (fs) => fs.write('q', 'w', { mode: 'append' }), (fs) => fs.write('q', 'q'), true],
  ['edit · written', (fs) => fs.edit('a/x', 'one', 'w'), (fs) => fs.write('a/x', 'one q'), true],
  ['edit · another written', (fs) => fs.edit('a/x', 'one', 'w'), (fs) => fs.edit('a/y', 'two', 'q'), false],
  ['delete · written', (fs) => fs.delete('a/x'), (fs) => fs.write('a/x', 'q'), false],
  ['delete · deleted', (fs) => fs.delete('a/x'), (fs) => fs.delete('a/x'), true],
  [
    'delete with all below · added below',
    (fs) => fs.delete('a', { recursive: true }),
    (fs) => fs.write('a/q', 'q'),
    false,
  ],
  ['mkdir · made', (fs) => fs.mkdir('q'), (fs) => fs.mkdir('q'), false],
  ['mkdir of a new one · made', (fs) => fs.mkdir('q', { existOk: false }), (fs) => fs.mkdir('q'), true],
  ['mkdir · a file now', (fs) => fs.mkdir('q'), (fs) => fs.write('q', 'q'), true],
  ['mkdir of what is there · deleted', (fs) => fs.mkdir('b'), (fs) => fs.delete('b', { recursive: true }), true],
  ['snapshot · anything', (fs) => fs.snapshot(), (fs) => fs.mkdir('q'), true],
  ['nothing · anything', async () => 0, (fs) => fs.delete('/', { recursive: true }), false],
  [
    'read of its own write · written',
    async (fs) => [await fs.write('a/x', 'w'), await fs.read('a/x')],
    (fs) => fs.write('a/x', 'q'),
    false,
  ],
  [
    'read of its own write of the same text · written',
    async (fs) => [await fs.write('a/x', 'one\n'), await fs.read('a/x')],
    (fs) => fs.write('a/x', 'q'),
    false,
  ],
  [
    'read of its own append · written',
    async (fs) => [await fs.write('a/x', 'w', { mode: 'append' }), await fs.read('a/x')],
    (fs) => fs.write('a/x', 'q'),
    true,
  ],
  [
    'own deletion seen · written',
    (fs) => fs.delete('a/x').then(() => fs.exists('a/x')),
    (fs) => fs.write('a/x', 'q'),
    false,
  ],
  [
    'own file seen · written',
    async (fs) => [await fs.write('q', 'w'), await fs.exists('q')],
    (fs) => fs.write('q', 'q'),
    false,
  ],
  [
    'own directory listed · joined',
    async (fs) => [await fs.write('q/r', 'w'), await fs.list('q')],
    (fs) => fs.write('q/s', 'q'),
    true,
  ],
  [
    'message names the file in the way · another is',
    (fs) => fs.read('top/q/r').catch(() => 0),
    (fs) => fs.delete('top').then(() => fs.write('top/q', 'q')),
    true,
  ],
];

describe('a conflict is what was read and has changed:', () => {
  test.each(conflicts)(
    'an overlay conflicts if something that it read has changed: %s',
    async (_case, inside, outside, expected) => {
      const fs = new InMemoryFilesystem({ files });
      const overlay = fs.begin();
      await inside(overlay);
      expect(fs.conflicts(overlay)).toBe(false);
      await outside(fs);
      expect(fs.conflicts(overlay)).toBe(expected);
    },
  );

  test.each(conflicts)(
    'a conflict is found in a savepoint, kept or dropped: %s',
    async (_case, inside, outside, expected) => {
      const fs = new InMemoryFilesystem({ files });
      const [keeps, drops] = [fs.begin(), fs.begin()];
      const kept = keeps.begin();
      await inside(kept);
      keeps.commit(kept);
      await inside(drops.begin().begin());
      await outside(fs);
      expect(fs.conflicts(keeps)).toBe(expected);
      // What a dropped savepoint has read its caller may know.
      expect(fs.conflicts(drops)).toBe(expected);
    },
  );

  test.each(conflicts)('a conflict is found from another overlay: %s', async (_case, inside, outside, expected) => {
    const fs = new InMemoryFilesystem({ files });
    const [overlay, other] = [fs.begin(), fs.begin()];
    await inside(overlay);
    await outside(other);
    fs.commit(other);
    expect(fs.conflicts(overlay)).toBe(expected);
  });

  test('a value that was changed and restored is no conflict', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    await overlay.read('a/x');
    await overlay.list('/');
    const before = await fs.snapshot();
    await fs.delete('/', { recursive: true });
    expect(fs.conflicts(overlay)).toBe(true);
    await fs.restore(before);
    expect(fs.conflicts(overlay)).toBe(false);
  });
});

describe('an overlay repeats its changes on a state that has moved:', () => {
  const cases: readonly (readonly [string, readonly Act[], Readonly<Record<string, string>>])[] = [
    [
      'the last write counts',
      [(fs) => fs.write('q', '1'), (fs) => fs.write('r', '2'), (fs) => fs.write('q', '3')],
      { q: '3', r: '2' },
    ],
    [
      'written, deleted and written',
      [(fs) => fs.write('q', '1'), (fs) => fs.delete('q'), (fs) => fs.write('q', '2')],
      { q: '2' },
    ],
    [
      'written and deleted with its directory',
      [(fs) => fs.write('q/r', '1'), (fs) => fs.delete('q', { recursive: true })],
      {},
    ],
    [
      'a file in the place of a directory',
      [(fs) => fs.write('q/r', '1'), (fs) => fs.delete('q', { recursive: true }), (fs) => fs.write('q', '2')],
      { q: '2' },
    ],
    [
      'a directory in the place of a file',
      [(fs) => fs.write('q', '1'), (fs) => fs.delete('q'), (fs) => fs.write('q/r', '2')],
      { 'q/r': '2' },
    ],
  ];

  test.each(cases)('an overlay is repeated on a newer state: %s', async (_case, acts, expected) => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    for (const act of acts) await act(overlay);
    await fs.write('top', 'moved\n');
    await fs.write('a/q', 'moved\n');
    expect(fs.conflicts(overlay)).toBe(false);
    fs.commit(overlay);
    expect(filesOf(fs)).toEqual({ ...files, top: 'moved\n', 'a/q': 'moved\n', ...expected });
  });

  test('a snapshot from elsewhere replaces all files, and later writes come on top', async () => {
    const fs = new InMemoryFilesystem({ files });
    const before = await fs.snapshot();
    const overlay = fs.begin();
    await overlay.write('q', '1');
    await overlay.write('r', '2');
    await overlay.restore(before);
    await overlay.write('q', '3');
    await overlay.write('s', '4');
    await fs.write('top', 'moved\n');
    fs.commit(overlay);
    expect(filesOf(fs)).toEqual({ ...files, q: '3', s: '4' });
  });

  test('directories that were made, and those of which the last file went', async () => {
    const fs = new InMemoryFilesystem({ files });
    const overlay = fs.begin();
    await overlay.mkdir('empty/er');
    await overlay.delete('b/z');
    await fs.write('top', 'moved\n');
    fs.commit(overlay);
    expect(await fs.list('empty/er')).toEqual([]);
    expect(await fs.list('b')).toEqual([]);
  });
});
