import type { EditOptions } from '../../interface/Filesystem.js';
import { refusals } from './refusals.js';

/** The result of a replacement. */
export interface Replaced {
  readonly content: string;
  readonly replacements: number;
}

/** A replacement to be made; `$` and the like have no special meaning. */
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

/**
 * Replaces a part of a file's text. What would become too large is refused before it is made.
 *
 * @throws FilesystemError invalidPattern if the old text is empty, missing, or occurs more than once without `replaceAll`;
 *   invalidPath if the file would be too large
 */
export function replaceText({ path, content, oldText, newText, options, maxFileBytes }: Replacement): Replaced {
  if (oldText === '') throw refusals.emptyText(path);
  const first = content.indexOf(oldText);
  if (first === -1) throw refusals.textNotFound(path, hintFor(content, oldText));
  // From the next character on, since overlapping occurrences are ambiguous, too.
  if (options.replaceAll !== true && content.includes(oldText, first + 1)) throw refusals.textNotUnique(path);
  const replacements = options.replaceAll === true ? countOf(content, oldText, first) : 1;
  const growth = Buffer.byteLength(newText) - Buffer.byteLength(oldText);
  // Halves of surrogate pairs may join, which makes the result shorter than this, never longer.
  const bytes = Buffer.byteLength(content) + replacements * growth;
  if (growth > 0 && bytes > maxFileBytes) throw refusals.wouldBeTooLarge(path, bytes, maxFileBytes);
  if (replacements > 1) return { content: content.split(oldText).join(newText), replacements };
  return { content: content.slice(0, first) + newText + content.slice(first + oldText.length), replacements };
}

function countOf(content: string, text: string, first: number): number {
  let count = 0;
  for (let at = first; at !== -1; at = content.indexOf(text, at + text.length)) count++;
  return count;
}

/** Returns a hint for the model; models write `\n`, and in a file with `\r\n` would repeat the same text forever. */
function hintFor(content: string, oldText: string): string {
  return content.includes('\r\n') && content.includes(oldText.replace(/\r?\n/g, '\r\n'))
    ? 'Its lines end with \\r\\n: end the lines of the text likewise.'
    : 'Read the file, and give the text exactly as it is there, with its white space.';
}
