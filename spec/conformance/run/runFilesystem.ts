import { type FileEntry, type FilesystemSnapshot, InMemoryFilesystem, type WriteMode } from 'toolwright/resources';
import { unknownWord } from '../ConformanceFault';
import type { FsInput, FsOp, Outcome } from '../format';
import { errorOutcome } from './errorOutcome';

interface Target {
  readonly fs: InMemoryFilesystem;
  /** By their names in the case. */
  readonly snapshots: Map<unknown, FilesystemSnapshot>;
}

/** Does one operation; what it answers, or nothing. */
type Operation = (target: Target, op: FsOp) => Promise<unknown>;

const operations: Readonly<Record<string, Operation>> = {
  read: async ({ fs }, { path = '', offset, limit }) => {
    const { totalLines, ...rest } = await fs.read(path, { offset, limit });
    return { $type: 'ReadResult', ...rest, total_lines: totalLines };
  },
  write: async ({ fs }, { path = '', content = '', mode, create_parents: createParents }) => {
    const { bytesWritten, ...rest } = await fs.write(path, content, { mode: mode as WriteMode, createParents });
    return { $type: 'WriteResult', ...rest, bytes_written: bytesWritten };
  },
  edit: async ({ fs }, { path = '', old_text: oldText = '', new_text: newText = '', replace_all: replaceAll }) => ({
    $type: 'EditResult',
    ...(await fs.edit(path, oldText, newText, { replaceAll })),
  }),
  list: async ({ fs }, { path }) => (await fs.list(path)).map((entry) => ({ $type: 'FileEntry', ...namesOf(entry) })),
  stat: async ({ fs }, { path = '' }) => {
    const stat = await fs.stat(path);
    return { $type: 'FileStat', ...namesOf(stat), size_bytes: stat.sizeBytes };
  },
  exists: ({ fs }, { path = '' }) => fs.exists(path),
  delete: ({ fs }, { path = '', recursive }) => fs.delete(path, { recursive }),
  mkdir: ({ fs }, { path = '', parents, exist_ok: existOk }) => fs.mkdir(path, { parents, existOk }),
  glob: async ({ fs }, { pattern = '', path }) =>
    (await fs.glob(pattern, { path })).map((found) => ({ $type: 'GlobMatch', path: found, is_file: true })),
  grep: async ({ fs }, { pattern = '', path, glob, max_matches: maxMatches }) =>
    (await fs.grep(pattern, { path, glob, maxMatches })).map(({ path: found, line, text, start, end }) => ({
      $type: 'GrepMatch',
      path: found,
      line_number: line,
      line_content: text,
      match_start: start,
      match_end: end,
    })),
  snapshot: async ({ fs, snapshots }, { as }) => {
    snapshots.set(as, await fs.snapshot());
  },
  restore: async ({ fs, snapshots }, { from }) => {
    const snapshot = snapshots.get(from);
    if (snapshot === undefined) throw unknownWord('snapshot', from);
    await fs.restore(snapshot);
  },
};

/** Does the operations of a case to an empty filesystem in memory, one after the other. */
export async function runFilesystem({ ops }: FsInput): Promise<Outcome> {
  const target: Target = { fs: new InMemoryFilesystem(), snapshots: new Map() };
  const outcomes: Outcome[] = [];
  for (const op of ops) outcomes.push(await operate(target, op));
  return { ops: outcomes, files: { ...target.fs.files() } };
}

async function operate(target: Target, op: FsOp): Promise<Outcome> {
  const operation = Object.hasOwn(operations, op.op) ? operations[op.op] : undefined;
  if (operation === undefined) throw unknownWord('fs op', op.op);
  try {
    const value = await operation(target, op);
    return value === undefined ? { ok: true } : { value };
  } catch (error) {
    return { error: errorOutcome(error) };
  }
}

function namesOf({ name, path, isFile, isDirectory }: FileEntry): Outcome {
  return { name, path, is_file: isFile, is_directory: isDirectory };
}
