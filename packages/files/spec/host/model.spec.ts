import fc from 'fast-check';
import { type Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { expectEqual } from '../../../../spec/support/expectEqual';
import { textOf } from '../../../../spec/resource/filesystem/contract/support';
import { runOn, stepsOf, type Kept, type PlainStep } from '../../../../spec/resource/filesystem/steps';
import { Folders } from './folders';

const folders = new Folders();
afterEach(() => folders.remove());

/** All observable state of a filesystem. */
async function told(fs: Filesystem, path = '/', tree: Record<string, string> = {}): Promise<Record<string, string>> {
  for (const entry of await fs.list(path)) {
    if (entry.isDirectory) {
      tree[entry.path] = '(directory)';
      await told(fs, entry.path, tree);
    } else tree[entry.path] = `file: ${await textOf(fs, entry.path)}`;
  }
  return tree;
}

test('whatever is done, the answers, the messages and the files are those of the filesystem in memory', async () => {
  const host = await folders.open();
  const counts = { done: 0, refused: 0, restored: 0 };
  await fc.assert(
    fc.asyncProperty(stepsOf(30, 0), async (steps) => {
      const memory = new InMemoryFilesystem();
      await host.delete('/', { recursive: true });
      const [hostKept, memoryKept]: Kept[] = [{}, {}];
      for (const step of [{ do: 'snapshot' }, ...steps] as readonly PlainStep[]) {
        const answer = await runOn(host, step, hostKept!);
        expectEqual({ step, answer }, { step, answer: await runOn(memory, step, memoryKept!) });
        counts[step.do === 'restore' ? 'restored' : 'done']++;
        counts.refused += 'refused' in answer ? 1 : 0;
      }
      expect(await told(host)).toEqual(await told(memory));
    }),
    { numRuns: 400 },
  );
  // All of it must have been met often, or the property says little.
  expect(counts.done).toBeGreaterThan(1_000);
  expect(counts.refused).toBeGreaterThan(300);
  expect(counts.restored).toBeGreaterThan(30);
}, 120_000);

test.each([
  { offset: 2 ** 32 },
  { offset: 2 ** 33 + 1, limit: 1 },
  { offset: Number.NaN },
  { offset: -1 },
  { offset: 1.5, limit: 1.5 },
  { offset: Number.POSITIVE_INFINITY },
  { offset: Number.NEGATIVE_INFINITY },
  { limit: Number.NaN },
  { limit: Number.POSITIVE_INFINITY },
  { limit: -5 },
  { limit: 2 ** 40 },
])('FS-04 pages with %j are those of the filesystem in memory', async (options) => {
  const [host, memory] = [await folders.open(), new InMemoryFilesystem()];
  for (const fs of [host, memory]) await fs.write('a', '1\n2\n3\n');
  expect(await host.read('a', options)).toEqual(await memory.read('a', options));
});
