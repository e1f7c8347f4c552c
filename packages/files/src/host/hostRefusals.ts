import { messageOf, quote } from 'toolwright/internal/light';
import { FilesystemError, ResourceError } from 'toolwright/resources';
import { errnoOf } from './errno.js';
import type { EntryKind } from './HostEntry.js';

const quotePath = (path: string): string => quote(path, 200);

const createInvalidPathError = (path: string, problem: string, remedy: string): FilesystemError =>
  new FilesystemError('invalidPath', path, problem, remedy);

const WHAT: Readonly<Record<Exclude<EntryKind, 'file' | 'directory'>, string>> = {
  link: 'a symbolic link, and links are not followed',
  special: 'a device, pipe or socket, not a file',
};

/** Creates the errors of the host filesystem, in addition to the errors of every filesystem. Paths are shown as the caller passed them. */
export const hostRefusals = {
  hidden: (path: string, name: string) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} leads to ${quotePath(name)}, which is neither shown nor changed here.`,
      'Choose another path.',
    ),

  notOrdinary: (path: string, at: string, kind: keyof typeof WHAT) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} cannot be used, since ${quotePath(at)} is ${WHAT[kind]}.`,
      'Choose a path that leads through directories to an ordinary file.',
    ),

  severalNames: (path: string) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} is not written, since the file has other names as well (hard links), possibly outside.`,
      'Write a new file under another name.',
    ),

  tooLarge: (path: string, most: number) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} is larger than ${most.toLocaleString('en-US')} bytes, and such files are not read.`,
      'Read smaller files; this one has to be split up by other means first.',
    ),

  binary: (path: string) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} is not text: it is not valid UTF-8, or has NUL characters in it.`,
      'Read text files only; what made this file can tell what is in it.',
    ),

  leftAlone: (path: string, at: string) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} is not deleted, since ${quotePath(at)} in it could not be brought back.`,
      'Delete other files in it one by one.',
    ),

  denied: (path: string, code: string) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} cannot be used: the system denies it (${code}).`,
      'Choose another path, or ask for the rights to this one.',
    ),

  moved: (path: string) =>
    createInvalidPathError(
      path,
      `${quotePath(path)} was changed concurrently.`,
      'List the directory above it, and try again.',
    ),

  // The following errors are faults of a program or its environment, not of a model.

  notOpened: (root: string, problem: string, remedy: string, cause?: unknown) =>
    new ResourceError(problem, { code: 'E906', place: `HostFilesystem.open(${quote(root, 200)})`, remedy, cause }),

  failed: (method: string, cause: unknown) =>
    new ResourceError(`the host failed: ${messageOf(cause)}`, {
      code: 'E907',
      place: `HostFilesystem.${method}`,
      cause,
    }),

  notKept: (path: string, cause: unknown) =>
    new ResourceError(`${quotePath(path)} cannot be kept in a snapshot: ${errnoOf(cause) ?? messageOf(cause)}`, {
      code: 'E907',
      place: 'HostFilesystem.snapshot',
      remedy: 'Give this process the right to read it, or move it out of the folder.',
      cause,
    }),

  gitFailed: (problem: string, cause?: unknown) =>
    new ResourceError(`git failed: ${problem}`, { code: 'E907', place: 'HostFilesystem', cause }),

  closed: () =>
    new ResourceError('the filesystem was closed', {
      code: 'E907',
      place: 'HostFilesystem',
      remedy: 'Close it after its last use, or open another one.',
    }),

  noSnapshots: () =>
    new ResourceError('the filesystem was opened without snapshots', {
      code: 'E907',
      place: 'HostFilesystem.snapshot',
      remedy: 'Open it without { snapshots: false }; tool calls that write need snapshots to be rolled back.',
    }),
} as const;
