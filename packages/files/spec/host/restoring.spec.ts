import fc from 'fast-check';
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskTree } from './diskTree';
import { Folders } from './folders';

// Whatever is done to the disk, by whomever, everything is as it was when a snapshot is restored.

const folders = new Folders();
afterEach(() => folders.remove());

type Change =
  | { readonly do: 'file'; readonly path: string; readonly content: Uint8Array; readonly mode: number }
  | { readonly do: 'directory'; readonly path: string; readonly mode: number }
  | { readonly do: 'link'; readonly path: string; readonly target: string }
  | { readonly do: 'remove'; readonly path: string };

// Few names, or the changes would seldom meet; one of them is no UTF-8.
const name = fc.constantFrom('a', 'b', 'c\xff');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o700);
const is = <T extends string>(value: T): fc.Arbitrary<T> => fc.constant(value);
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ do: is('file'), path, content: fc.uint8Array({ maxLength: 3 }), mode }),
  fc.record({ do: is('directory'), path, mode: fc.constantFrom(0o755, 0o700, 0o711) }),
  fc.record({ do: is('link'), path, target: fc.constantFrom('a', '../b', '/etc/passwd', 'gone') }),
  fc.record({ do: is('remove'), path }),
);
const step = fc.oneof(
  { arbitrary: change, weight: 6 },
  { arbitrary: fc.constant('snapshot' as const), weight: 2 },
  { arbitrary: fc.nat(5), weight: 1 },
);

/** Removes entries that are in the way first. */
function apply(root: string, change: Change): void {
  const at = (path: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  const tree = diskTree(root);
  const above = change.path.split('/').slice(0, -1);
  for (let depth = 1; depth <= above.length; depth++) {
    const directory = above.slice(0, depth).join('/');
    if (tree[directory] !== undefined && 'directory' in tree[directory]) continue;
    rmSync(at(directory), { force: true });
    mkdirSync(at(directory));
  }
  rmSync(at(change.path), { recursive: true, force: true });
  if (change.do === 'file') writeFileSync(at(change.path), change.content);
  if (change.do === 'directory') mkdirSync(at(change.path));
  if (change.do === 'link') symlinkSync(change.target, at(change.path));
  if ('mode' in change) chmodSync(at(change.path), change.mode);
}

test('HAND-24 a tree that was changed at will is as it was, each time it is restored', async () => {
  const root = await folders.folder();
  const fs = await folders.open(root);
  const counts = { restored: 0, different: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await fs.delete('/', { recursive: true });
      const kept = [{ snapshot: await fs.snapshot(), tree: diskTree(root) }];
      for (const step of steps) {
        if (step === 'snapshot') kept.push({ snapshot: await fs.snapshot(), tree: diskTree(root) });
        else if (typeof step !== 'number') apply(root, step);
        else {
          const { snapshot, tree } = kept[step % kept.length]!;
          counts.different += JSON.stringify(diskTree(root)) === JSON.stringify(tree) ? 0 : 1;
          await fs.restore(snapshot);
          expect(diskTree(root)).toEqual(tree);
          counts.restored++;
        }
      }
    }),
    { numRuns: 150 },
  );
  // Both must have been met often, or the property says little.
  expect(counts.restored).toBeGreaterThan(50);
  expect(counts.different).toBeGreaterThan(30);
}, 120_000);

test('a file of which only the permissions were changed is not written again', async () => {
  const root = await folders.folder();
  writeFileSync(join(root, 'a'), 'x', { mode: 0o600 });
  const fs = await folders.open(root);
  const snapshot = await fs.snapshot();
  const { ino, mtimeNs } = lstatSync(join(root, 'a'), { bigint: true });
  chmodSync(join(root, 'a'), 0o644);
  await fs.restore(snapshot);
  const { mode, ...restored } = lstatSync(join(root, 'a'), { bigint: true });
  expect(restored).toMatchObject({ ino, mtimeNs });
  expect(mode & 0o777n).toBe(0o600n);
});
