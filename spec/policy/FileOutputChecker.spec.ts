import { FileOutputChecker } from 'toolwright/policies';
import { InMemoryFilesystem } from 'toolwright/resources';
import { scopeOf } from './checks';

const answer = { text: 'Done.' };

describe('FileOutputChecker', () => {
  test('FileOutputChecker is complete when all files are there', async () => {
    const files = new InMemoryFilesystem();
    await files.write('out/a.md', '');
    await files.write('b.md', '');
    const checker = new FileOutputChecker({ files: ['out/a.md', '/b.md'] });
    expect(await checker.check(answer, scopeOf(files))).toEqual({ complete: true });
  });

  test('FileOutputChecker refuses otherwise, and names the files that are missing and no others', async () => {
    const files = new InMemoryFilesystem();
    await files.write('a.md', '');
    await files.mkdir('c.md');
    const verdict = await new FileOutputChecker({ files: ['a.md', 'b.md', 'c.md'] }).check(answer, scopeOf(files));
    expect(verdict.complete).toBe(false);
    expect(verdict.feedback).toContain('"b.md", "c.md"');
    expect(verdict.feedback).not.toContain('a.md');
  });

  test('without a filesystem, FileOutputChecker refuses an answer, unless it has no files to check', async () => {
    const verdict = await new FileOutputChecker({ files: ['a.md'] }).check(answer, scopeOf(null));
    expect(verdict).toMatchObject({ complete: false, feedback: expect.stringContaining('no filesystem') as unknown });
    expect(await new FileOutputChecker({ files: [] }).check(answer, scopeOf(null))).toEqual({ complete: true });
  });

  test('FileOutputChecker keeps its list, whatever happens to the one it was made from', async () => {
    const list = ['a.md'];
    const checker = new FileOutputChecker({ files: list });
    list.pop();
    expect((await checker.check(answer, scopeOf(new InMemoryFilesystem()))).complete).toBe(false);
  });
});
