import { Section } from '../../decorator/Section.js';
import { Tool } from '../../decorator/Tool.js';
import { ToolContext } from '../../tool/ToolContext.js';
import { FilePage } from './FilePage.js';
import { LineFound, LinesFound } from './LinesFound.js';
import { requireFew, requireShort, createResult } from './resultTexts.js';
import {
  EditFileParams,
  GlobParams,
  GrepParams,
  ListParams,
  ReadFileParams,
  RemoveParams,
  WriteFileParams,
} from './workspaceParams.js';
import { requirePath, requireFilePath, requireFilePattern } from './workspacePaths.js';
import { DirectoryEntry, DirectoryListing, FileEdited, FilesFound, FileWritten, Removed } from './workspaceResults.js';
import { FilesystemError } from '../../error/FilesystemError.js';
import { ToolRefusal } from '../../error/toolErrors.js';
import type { Filesystem } from '../../interface/Filesystem.js';

const looks = { readOnly: true, idempotent: true, openWorld: false } as const;
const changes = { destructive: true, openWorld: false } as const;

/**
 * Lets the model list, find, read, write, edit and delete the files that are bound to `Filesystem`. The changes of a
 * failed call are rolled back if the filesystem supports it. Nothing outside the root of the filesystem can be reached
 * (docs/contract.md, 15).
 *
 * @example
 * @Prompt({ ns: 'coding', key: 'desk', sections: [WorkspaceSection] })
 * class CodingDesk {}
 *
 * const files = new InMemoryFilesystem({ files: { 'src/app.ts': 'export {};\n' } });
 * await createApplication({ prompts: [CodingDesk], resources: [bind(Filesystem, { value: files })] });
 */
@Section({
  key: 'workspace',
  title: 'Workspace',
  template: `
    You work on the files of one workspace. Paths are relative to its root, with \`/\` between names: \`src/app.ts\`, not \`/src/app.ts\` or \`./src/app.ts\`.

    - Look before you change anything: \`ls\` lists a directory, \`glob\` finds files by name, \`grep\` finds lines, \`read_file\` shows a file.
    - Read a file before you write to it. Change it with \`edit_file\`, which replaces one part of it and leaves the rest alone.
    - Use \`write_file\` for new files, and for those of which nothing is to stay.
    - \`rm\` deletes. Delete only what the task asks for, or what you have made yourself.

    A call that fails has changed nothing; its answer says what to do instead.
  `,
})
export class WorkspaceSection {
  /** Lists a directory. */
  @Tool({
    name: 'ls',
    description: 'List a directory. Names of directories end with a slash.',
    result: DirectoryListing,
    hints: looks,
  })
  async list({ path }: ListParams, context: ToolContext): Promise<DirectoryListing> {
    const found = await runWithFiles(context, (files) => files.list(requirePath(path)));
    requireFew('The directory', 'entries', found.length, 'Find some of them with glob.');
    const entries = found.map(({ name, path: at, isDirectory }) =>
      createResult(DirectoryEntry, { name, path: at, isDirectory }),
    );
    return createResult(DirectoryListing, { entries });
  }

  /** Reads some lines of a file. */
  @Tool({
    name: 'read_file',
    description: 'Read a text file. Each line comes with its number and a tab before it, which are not in the file.',
    result: FilePage,
    hints: looks,
  })
  async readFile({ path, offset, limit }: ReadFileParams, context: ToolContext): Promise<FilePage> {
    return FilePage.of(await runWithFiles(context, (files) => files.read(requireFilePath(path), { offset, limit })));
  }

  /** Writes a whole file. */
  @Tool({
    name: 'write_file',
    description: 'Write a whole text file. Makes missing directories; replaces a file that is there.',
    result: FileWritten,
    hints: { ...changes, idempotent: true },
  })
  async writeFile({ path, content }: WriteFileParams, context: ToolContext): Promise<FileWritten> {
    const { path: at, bytesWritten } = await runWithFiles(context, (files) =>
      files.write(requireFilePath(path), content),
    );
    return createResult(FileWritten, { path: at, bytesWritten });
  }

  /** Replaces a part of a file. */
  @Tool({
    name: 'edit_file',
    description: 'Replace a text in a file by another one. It must occur exactly once, unless replace_all is set.',
    result: FileEdited,
    hints: { ...changes, idempotent: false },
  })
  async editFile(params: EditFileParams, context: ToolContext): Promise<FileEdited> {
    const { path, oldText, newText, replaceAll } = params;
    const edited = await runWithFiles(context, (files) =>
      files.edit(requireFilePath(path), oldText, newText, { replaceAll }),
    );
    return createResult(FileEdited, edited);
  }

  /** Finds files by their names. */
  @Tool({
    name: 'glob',
    description: 'Find files by a pattern of their names, such as src/**/*.ts.',
    result: FilesFound,
    hints: looks,
  })
  async glob({ pattern, path }: GlobParams, context: ToolContext): Promise<FilesFound> {
    const paths = await runWithFiles(context, (files) =>
      files.glob(requireFilePattern(pattern), { path: requirePath(path), signal: context.signal }),
    );
    requireFew('The pattern', 'files', paths.length, 'Narrow the pattern or the path.');
    return createResult(FilesFound, { paths });
  }

  /** Finds lines by a regular expression. */
  @Tool({
    name: 'grep',
    description: 'Find lines that a regular expression matches. Shows path:line: text.',
    result: LinesFound,
    hints: looks,
  })
  async grep({ pattern, path, glob, limit }: GrepParams, context: ToolContext): Promise<LinesFound> {
    const found = await runWithFiles(context, (files) =>
      files.grep(pattern, {
        path: requirePath(path),
        glob: glob === undefined ? undefined : requireFilePattern(glob),
        maxMatches: limit,
        signal: context.signal,
      }),
    );
    const fitting = requireShort(found);
    const matches = fitting.map(({ path: at, line, text, start }) =>
      createResult(LineFound, { path: at, line, text, start }),
    );
    return createResult(LinesFound, { matches, isComplete: found.length < limit && fitting.length === found.length });
  }

  /** Deletes a file or a directory. */
  @Tool({
    name: 'rm',
    description: 'Delete a file, or a directory: an empty one, or with recursive everything in it.',
    result: Removed,
    hints: { ...changes, idempotent: true },
  })
  async remove({ path, recursive }: RemoveParams, context: ToolContext): Promise<Removed> {
    await runWithFiles(context, (files) => files.delete(requireFilePath(path), { recursive }));
    return createResult(Removed, { path });
  }
}

/** @throws ToolRefusal if no filesystem is bound, or the filesystem refuses */
async function runWithFiles<T>({ filesystem }: ToolContext, use: (files: Filesystem) => Promise<T>): Promise<T> {
  if (filesystem === null) {
    throw new ToolRefusal(
      'There are no files: no filesystem is bound. Continue without them. ' +
        'The host binds one with createApplication({ resources: [bind(Filesystem, { value: files })] }).',
    );
  }
  try {
    return await use(filesystem);
  } catch (error) {
    // A refusal of the filesystem is not a failure: its message is written for the model.
    throw error instanceof FilesystemError ? new ToolRefusal(error.message, { cause: error }) : error;
  }
}
