import { MAX_SHOWN_PATH_CHARS } from '../../common/limits.js';
import { quote } from '../../common/text.js';
import { FilesystemError, type FilesystemErrorKind } from '../../error/FilesystemError.js';
import { ResourceError } from '../../error/infrastructureErrors.js';

const shown = (path: string): string => quote(path, MAX_SHOWN_PATH_CHARS);

/** Creates the function that refuses a path or a pattern, from the problem with it and the next step. */
const refuse =
  <A extends readonly unknown[]>(
    kind: FilesystemErrorKind,
    problem: (path: string, ...details: A) => string,
    remedy: string,
  ) =>
  (path: string, ...details: A): FilesystemError =>
    new FilesystemError(kind, path, problem(shown(path), ...details), remedy);

/**
 * The errors of filesystems, shared so that all filesystems have the same messages. Paths are shown as passed by the
 * caller, except for `file`, which is a part of such a path.
 */
export const refusals = {
  notFound: refuse(
    'notFound',
    (path) => `${path} does not exist.`,
    'List the directory above it to see which names there are.',
  ),

  noParent: refuse(
    'notFound',
    (path) => `The directory above ${path} does not exist.`,
    'Make that directory first, or choose a path in one that exists.',
  ),

  isDirectory: refuse(
    'isDirectory',
    (path) => `${path} is a directory, not a file.`,
    'List it, and name a file in it.',
  ),

  notEmpty: refuse(
    'isDirectory',
    (path) => `${path} is a directory that is not empty.`,
    'Delete what is in it first, or delete it recursively if everything in it may go.',
  ),

  notDirectory: refuse(
    'notDirectory',
    (path) => `${path} is a file, not a directory.`,
    'Read it, or name the directory that it is in.',
  ),

  fileInTheWay: refuse(
    'notDirectory',
    (path, file: string) => `${path} cannot exist, since ${shown(file)} is a file, not a directory.`,
    'Choose a path that does not lead through a file.',
  ),

  exists: refuse('exists', (path) => `${path} exists already.`, 'Choose another path, or change what is there.'),

  isRoot: refuse('invalidPath', (path) => `${path} is the root directory.`, 'Name a file below it.'),

  invalidPath: refuse('invalidPath', (path, why: string) => `${path} cannot be a path: ${why}.`, 'Correct the path.'),

  invalidGlob: refuse(
    'invalidPattern',
    (pattern, why: string) => `The file pattern ${pattern} cannot be used: ${why}.`,
    'Write it with * ? ** [abc] {a,b} as in "src/**/*.ts", and \\ before a character that stands for itself.',
  ),

  invalidExpression: refuse(
    'invalidPattern',
    (pattern, why: string) => `The regular expression ${pattern} cannot be used: ${why}.`,
    'Write a JavaScript regular expression without lookarounds and back references, with \\ before ( ) [ ] { } . * + ? ^ $ | that stand for themselves.',
  ),

  unsupportedExpression: (pattern: string, has: string, instead: string) =>
    new FilesystemError(
      'invalidPattern',
      pattern,
      `The regular expression ${shown(pattern)} cannot be used: it has ${has}, which may take too long to match.`,
      instead,
    ),

  wouldBeTooLarge: refuse(
    'invalidPath',
    (path, bytes: number, most: number) =>
      `${path} would have ${bytes.toLocaleString('en-US')} bytes, more than the ${most.toLocaleString('en-US')} that a file may have.`,
    'Write less, or spread it over several files.',
  ),

  wouldBeFull: refuse(
    'invalidPath',
    (path, most: number) =>
      `With ${path} the files would have more than the ${most.toLocaleString('en-US')} characters that they may have together.`,
    'Delete what is no longer needed, or write less.',
  ),

  emptyText: refuse(
    'invalidPattern',
    (path) => `The text to replace in ${path} is empty.`,
    'Give the text as it is in the file.',
  ),

  textNotFound: (path: string, hint: string) =>
    new FilesystemError('invalidPattern', path, `The text to replace does not occur in ${shown(path)}.`, hint),

  textNotUnique: refuse(
    'invalidPattern',
    (path) => `The text to replace occurs more than once in ${path}.`,
    'Give more of the text around the place that is meant, or replace all occurrences.',
  ),

  // The next two are mistakes of a program, not of a model.

  foreignSnapshot: (filesystem: string) =>
    new ResourceError('the snapshot was taken of another filesystem', {
      code: 'E905',
      place: `${filesystem}.restore`,
      remedy: 'Restore the same object that snapshot() of such a filesystem returned.',
    }),

  foreignOverlay: (filesystem: string) =>
    new ResourceError('the overlay was begun elsewhere', {
      code: 'E905',
      place: `${filesystem}.commit`,
      remedy: 'Pass an overlay to the filesystem whose begin() returned it.',
    }),
} as const;

/** Checks the size of a file. @throws FilesystemError invalidPath for a file that would be larger than allowed */
export function requireSize(path: string, bytes: number, most: number): void {
  if (bytes > most) throw refusals.wouldBeTooLarge(path, bytes, most);
}
