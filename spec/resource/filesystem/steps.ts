import fc from 'fast-check';
import { FilesystemError, type FilesystemErrorKind } from '../../../src/error/FilesystemError';
import type { Filesystem, FilesystemSnapshot, WriteMode } from '../../../src/interface/Filesystem';
import type { InMemoryFilesystem } from '../../../src/resource/filesystem/InMemoryFilesystem';

/** One thing that is asked of a filesystem. `snapshot` keeps it beside what was kept before, `restore` puts that back. */
export type PlainStep =
  | { readonly do: 'read'; readonly path: string; readonly offset: number; readonly limit: number }
  | {
      readonly do: 'write';
      readonly path: string;
      readonly content: string;
      readonly mode: WriteMode;
      readonly createParents: boolean;
    }
  | {
      readonly do: 'edit';
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      readonly replaceAll: boolean;
    }
  | { readonly do: 'list' | 'stat' | 'exists'; readonly path: string }
  | { readonly do: 'delete'; readonly path: string; readonly recursive: boolean }
  | { readonly do: 'mkdir'; readonly path: string; readonly parents: boolean; readonly existOk: boolean }
  | { readonly do: 'glob'; readonly pattern: string; readonly path: string }
  | {
      readonly do: 'grep';
      readonly pattern: string;
      readonly path: string;
      readonly glob: string;
      readonly maxMatches: number;
    }
  | { readonly do: 'snapshot' | 'restore' };

/** A savepoint: its steps on an overlay of their own, which is taken in or dropped. */
export type Step = PlainStep | { readonly do: 'savepoint'; readonly keep: boolean; readonly steps: readonly Step[] };

/** The result of a step; a model has no messages. */
export type Answer = { readonly value: unknown } | { readonly refused: FilesystemErrorKind; readonly message?: string };

/** The answer as a model returns it. */
export const withoutMessage = (answer: Answer): Answer => ('refused' in answer ? { refused: answer.refused } : answer);

// Few names, or the steps would seldom meet.
const name = fc.constantFrom('a', 'b', 'c');
const below = fc.oneof(
  { arbitrary: name, weight: 3 },
  { arbitrary: fc.tuple(name, name), weight: 3 },
  { arbitrary: fc.tuple(name, name, name), weight: 1 },
);
const path = fc.oneof(
  { arbitrary: below.map((names) => [names].flat().join('/')), weight: 9 },
  { arbitrary: fc.constant('/'), weight: 1 },
);
const glob = fc.constantFrom(
  '**',
  '*',
  '/*',
  'a/**',
  '**/b',
  '/a/*',
  '{a,b}/*',
  '[ab]',
  '/?/[!b]',
  '{a,b/**}',
  'a/b/c',
);
const content = fc.constantFrom('', 'x', 'x\n', 'y\nx\n', 'xyx\n\nz');
const mode = fc.constantFrom<WriteMode>('overwrite', 'overwrite', 'overwrite', 'append', 'create');
const mostly = (usual: boolean): fc.Arbitrary<boolean> => fc.constantFrom(usual, usual, usual, !usual);
const is = <T extends string>(value: T): fc.Arbitrary<T> => fc.constant(value);

export const writingStep: fc.Arbitrary<PlainStep> = fc.oneof(
  { arbitrary: fc.record({ do: is('write'), path, content, mode, createParents: mostly(true) }), weight: 6 },
  {
    arbitrary: fc.record({
      do: is('edit'),
      path,
      oldText: fc.constantFrom('x', 'y\n', 'z'),
      newText: content,
      replaceAll: fc.boolean(),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: is('delete'), path, recursive: mostly(true) }), weight: 2 },
  { arbitrary: fc.record({ do: is('mkdir'), path, parents: mostly(true), existOk: mostly(true) }), weight: 2 },
);

const readingStep: fc.Arbitrary<PlainStep> = fc.oneof(
  fc.record({ do: is('read'), path, offset: fc.nat(2), limit: fc.constantFrom(-1, 0, 1, 2) }),
  fc.record({ do: fc.constantFrom('list', 'stat', 'exists'), path }),
  fc.record({ do: is('glob'), pattern: glob, path: fc.constantFrom('/', '/', 'a', 'b/c') }),
  fc.record({
    do: is('grep'),
    pattern: fc.constantFrom('x', 'y|z', '^$'),
    path: fc.constantFrom('/', '/', 'a', 'b/c'),
    glob,
    maxMatches: fc.constantFrom(1, 1_000),
  }),
);

const plainStep: fc.Arbitrary<PlainStep> = fc.oneof(
  { arbitrary: writingStep, weight: 10 },
  { arbitrary: readingStep, weight: 9 },
  { arbitrary: fc.record({ do: fc.constantFrom('snapshot', 'restore') }), weight: 2 },
);

/** Steps with savepoints in them, and savepoints in those. */
export const stepsOf = (maxLength: number, depth = 2): fc.Arbitrary<readonly Step[]> => {
  const savepoint = (): fc.Arbitrary<Step> =>
    fc.record({ do: is('savepoint'), keep: fc.boolean(), steps: stepsOf(4, depth - 1) });
  const step =
    depth === 0 ? plainStep : fc.oneof({ arbitrary: plainStep, weight: 6 }, { arbitrary: savepoint(), weight: 1 });
  return fc.array(step, { minLength: 1, maxLength });
};

/** The state of a program besides its files. */
export interface Kept<S = FilesystemSnapshot> {
  snapshot?: S;
}

/** The step on the real thing. */
export async function runOn(fs: Filesystem, step: PlainStep, kept: Kept): Promise<Answer> {
  try {
    return { value: (await ask(fs, step, kept)) ?? null };
  } catch (error) {
    if (error instanceof FilesystemError) return { refused: error.kind, message: error.message };
    throw error;
  }
}

async function ask(fs: Filesystem, step: PlainStep, kept: Kept): Promise<unknown> {
  switch (step.do) {
    case 'read':
      return fs.read(step.path, step);
    case 'write':
      return fs.write(step.path, step.content, step);
    case 'edit':
      return fs.edit(step.path, step.oldText, step.newText, step);
    case 'list':
    case 'stat':
    case 'exists':
      return fs[step.do](step.path);
    case 'delete':
      return fs.delete(step.path, step);
    case 'mkdir':
      return fs.mkdir(step.path, step);
    case 'glob':
      return fs.glob(step.pattern, step);
    case 'grep':
      return fs.grep(step.pattern, step);
    case 'snapshot':
      kept.snapshot = await fs.snapshot();
      return undefined;
    case 'restore':
      return kept.snapshot === undefined ? undefined : fs.restore(kept.snapshot);
  }
}

/** All contents of a filesystem, in the form of `NaiveFiles`. */
export async function stateOf(fs: InMemoryFilesystem): Promise<unknown> {
  const directories: string[] = [];
  const collect = async (path: string): Promise<void> => {
    for (const entry of await fs.list(path)) {
      if (entry.isDirectory) {
        directories.push(entry.path);
        await collect(entry.path);
      }
    }
  };
  await collect('/');
  return { files: { ...fs.files() }, directories: directories.sort() };
}
