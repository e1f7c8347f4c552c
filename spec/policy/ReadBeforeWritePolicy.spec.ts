import { Session } from 'toolwright';
import { PolicyRecord, ReadBeforeWritePolicy, type ReadBeforeWriteOptions } from 'toolwright/policies';
import { policyDesk } from './desk';

const NAMES = ['read_file', 'write_file', 'edit_file', 'rm', 'ls'];
const FILES = { 'a.txt': '1', 'src/b.txt': '2', 'src/deep/c.txt': '3' };

const deskOf = (options?: ReadBeforeWriteOptions, files: Readonly<Record<string, string>> | undefined = FILES) =>
  policyDesk([new ReadBeforeWritePolicy(options)], NAMES, files);

describe('ReadBeforeWritePolicy', () => {
  test.each(['write_file', 'edit_file', 'rm'])(
    '%s of a file that was not read is denied, with what to do',
    async (name) => {
      const desk = await deskOf();
      const outcome = await desk.call(name, { path: 'a.txt' });
      expect(outcome.kind).toBe('denied');
      expect(outcome.text).toMatch(/not read yet: "a\.txt"\. Read it with read_file first, then call/);
      await desk.call('read_file', { path: 'a.txt' });
      expect((await desk.call(name, { path: 'a.txt' })).kind).toBe('succeeded');
    },
  );

  test('a new file may be written, also below a file that is no directory', async () => {
    const desk = await deskOf();
    expect((await desk.call('write_file', { path: 'new.txt' })).kind).toBe('succeeded');
    expect((await desk.call('write_file', { path: 'a.txt/new.txt' })).kind).toBe('succeeded');
  });

  test('without a filesystem, everything may be written', async () => {
    const desk = await policyDesk([new ReadBeforeWritePolicy()], NAMES);
    expect((await desk.call('write_file', { path: 'a.txt' })).kind).toBe('succeeded');
  });

  test('a failed read does not count', async () => {
    const desk = await deskOf();
    await desk.call('read_file', { path: 'a.txt', fails: true });
    expect((await desk.call('write_file', { path: 'a.txt' })).kind).toBe('denied');
  });

  test('writing and listing do not count as reading', async () => {
    const desk = await deskOf();
    await desk.call('ls', { path: 'a.txt' });
    await desk.call('write_file', { path: 'new.txt' });
    expect((await desk.call('write_file', { path: 'a.txt' })).kind).toBe('denied');
  });

  test.each([
    ['/a.txt', 'a.txt'],
    ['a.txt', './/x/../a.txt'],
    ['../../a.txt', '/a.txt'],
    ['src/b.txt', 'src/./deep/../b.txt'],
  ])('%j and %j are one file', async (read, written) => {
    const desk = await deskOf();
    expect((await desk.call('write_file', { path: written })).kind).toBe('denied');
    await desk.call('read_file', { path: read });
    expect((await desk.call('write_file', { path: written })).kind).toBe('succeeded');
  });

  test.each(['/workspace', 'workspace/', '/./workspace//'])('the mount point %j is stripped', async (mountPoint) => {
    const desk = await deskOf({ mountPoint });
    expect((await desk.call('write_file', { path: '/workspace/a.txt' })).kind).toBe('denied');
    await desk.call('read_file', { path: 'a.txt' });
    expect((await desk.call('write_file', { path: '/workspace/a.txt' })).kind).toBe('succeeded');
    expect((await desk.call('write_file', { path: '/workspaces/a.txt' })).kind).toBe('succeeded');
  });

  test('a directory goes with every file in it', async () => {
    const desk = await deskOf();
    const denied = await desk.call('rm', { path: 'src' });
    expect(denied.text).toContain('"src/b.txt", "src/deep/c.txt"');
    await desk.call('read_file', { path: 'src/b.txt' });
    expect((await desk.call('rm', { path: 'src' })).text).not.toContain('src/b.txt');
    await desk.call('read_file', { path: 'src/deep/c.txt' });
    expect((await desk.call('rm', { path: 'src' })).kind).toBe('succeeded');
    expect((await desk.call('rm', { path: '/' })).kind).toBe('denied');
  });

  test.each([{}, { path: 'a\0b' }])('ReadBeforeWritePolicy denies when it cannot know the file: %j', async (args) => {
    const desk = await deskOf();
    expect((await desk.call('write_file', args)).kind).toBe('denied');
  });

  test('ReadBeforeWritePolicy accepts other tools and another param', async () => {
    const desk = await policyDesk(
      [new ReadBeforeWritePolicy({ reads: ['read_any'], writes: ['put'], pathParam: 'path' })],
      ['read_any', 'put', 'write_file'],
      FILES,
    );
    expect((await desk.call('write_file', { path: 'a.txt' })).kind).toBe('succeeded');
    expect((await desk.call('put', { path: 'a.txt' })).text).toContain('Read it with read_any first');
    await desk.call('read_any', { path: 'a.txt' });
    expect((await desk.call('put', { path: 'a.txt' })).kind).toBe('succeeded');
  });

  test('reading together in one turn is remembered of each file', async () => {
    const desk = await deskOf();
    const read = (path: string) => ({ id: path, name: 'read_file', arguments: { path } });
    const { session } = desk;
    await desk.app.callTools(desk.rendered, [read('a.txt'), read('src/b.txt'), read('src/deep/c.txt')], { session });
    for (const path of Object.keys(FILES)) expect((await desk.call('edit_file', { path })).kind).toBe('succeeded');
  });

  test('only the session knows the files that were read, and they are written with it', async () => {
    const desk = await deskOf();
    const session = new Session({ slices: [PolicyRecord] });
    await desk.app.invoke(desk.rendered, 'read_file', { path: 'a.txt' }, { session });
    expect((await desk.call('write_file', { path: 'a.txt' })).kind).toBe('denied');
    const later = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices: [PolicyRecord] });
    const outcome = await desk.app.invoke(desk.rendered, 'write_file', { path: 'a.txt' }, { session: later });
    expect(outcome.kind).toBe('succeeded');
  });

  test.each([{ reads: [] }, { writes: [''] }, { writes: 'rm' as never }])(
    'E713: ReadBeforeWritePolicy refuses %j',
    (options) => {
      expect(() => new ReadBeforeWritePolicy(options)).toThrow(expect.objectContaining({ code: 'E713' }) as Error);
    },
  );
});
