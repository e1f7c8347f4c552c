import { TimeSlice } from '../../common/TimeSlice.js';
import type { EditOptions } from '../../interface/Filesystem.js';
import { findOccurrences } from './findOccurrences.js';
import { refusals } from './refusals.js';

export interface Replaced {
  readonly content: string;
  readonly replacements: number;
}

/** A replacement to make. `$` has no special meaning. */
export interface Replacement {
  /** The file, as passed by the caller. */
  readonly path: string;
  readonly content: string;
  readonly oldText: string;
  readonly newText: string;
  readonly options: EditOptions;
  /** Maximum size in bytes of the file afterwards. */
  readonly maxFileBytes: number;
}

/** Pieces of a text that are joined at once: millions would block the event loop. */
const JOINED = 10_000;

/**
 * Replaces a part of a file's text in linear time, and lets other work run in between. A result that would be too large
 * is refused before it is created.
 *
 * @throws FilesystemError invalidPattern if the old text is empty, missing, or occurs more than once without
 * `replaceAll`; invalidPath if the file would be too large
 */
export async function replaceText(replacement: Replacement): Promise<Replaced> {
  const { path, content, oldText, newText, options, maxFileBytes } = replacement;
  if (oldText === '') throw refusals.emptyText(path);
  const slice = new TimeSlice();
  const isForAll = options.replaceAll === true;
  let replacements = 0;
  // From the next character on, because overlapping occurrences are ambiguous, too.
  await findOccurrences(content, oldText, { overlapping: !isForAll, slice }, () => ++replacements < 2 || isForAll);
  if (replacements === 0) throw refusals.textNotFound(path, await writeHint(content, oldText, slice));
  if (replacements > 1 && !isForAll) throw refusals.textNotUnique(path);
  const growth = Buffer.byteLength(newText) - Buffer.byteLength(oldText);
  // Halves of surrogate pairs may join, which makes the result shorter than this, never longer.
  const bytes = Buffer.byteLength(content) + replacements * growth;
  if (growth > 0 && bytes > maxFileBytes) throw refusals.wouldBeTooLarge(path, bytes, maxFileBytes);
  return { content: await replaceOccurrences(replacement, slice), replacements };
}

async function replaceOccurrences({ content, oldText, newText }: Replacement, slice: TimeSlice): Promise<string> {
  const whole: string[] = [];
  let pieces: string[] = [];
  let end = 0;
  await findOccurrences(content, oldText, { overlapping: false, slice }, (at) => {
    pieces.push(content.slice(end, at), newText);
    end = at + oldText.length;
    if (pieces.length < JOINED) return true;
    whole.push(pieces.join(''));
    pieces = [];
    return true;
  });
  return [...whole, ...pieces, content.slice(end)].join('');
}

/** Returns a hint for the model. Models write `\n`, and in a file with `\r\n` would repeat the same text forever. */
async function writeHint(content: string, oldText: string, slice: TimeSlice): Promise<string> {
  const places: number[] = [];
  if (content.includes('\r\n')) {
    const meant = oldText.replace(/\r?\n/g, '\r\n');
    await findOccurrences(content, meant, { overlapping: false, slice }, (at) => places.push(at) === 0);
  }
  return places.length > 0
    ? 'Its lines end with \\r\\n: end the lines of the text likewise.'
    : 'Read the file, and give the text exactly as it is there, with its white space.';
}
