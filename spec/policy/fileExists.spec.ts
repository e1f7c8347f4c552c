import { type Filesystem, FilesystemError, InMemoryFilesystem } from 'toolwright/resources';
import { fileExists } from '../../src/policy/fileExists';

describe('hasFile', () => {
  test('hasFile is true for a file, and not for a directory, nothing, or a path through a file', async () => {
    const files = new InMemoryFilesystem();
    await files.write('docs/a.md', '');
    const asked = ['docs/a.md', '/docs/a.md', 'docs', 'docs/b.md', 'docs/a.md/c'];
    expect(await Promise.all(asked.map((path) => fileExists(files, path)))).toEqual([true, true, false, false, false]);
  });

  test('hasFile does not treat a failure as an absence', async () => {
    const fault = new FilesystemError('invalidPath', 'x', 'No.', 'Go on.');
    const broken = { stat: () => Promise.reject(fault) } as unknown as Filesystem;
    await expect(fileExists(broken, 'x')).rejects.toBe(fault);
  });
});
