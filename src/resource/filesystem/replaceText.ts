import type { EditOptions } from '../../interface/Filesystem.js';
import { refusals } from './refusals.js';

/** A text with another one in the place of some part of it. */
export interface Replaced {
  readonly content: string;
  readonly replacements: number;
}

/**
 * Replaces a part of a file's text; `$` and the like mean themselves.
 *
 * @param path the file, as the caller named it
 * @throws FilesystemError invalidPattern when the old text is empty, missing, or there more than once without `replaceAll`
 */
export function replaceText(
  path: string,
  content: string,
  oldText: string,
  newText: string,
  options: EditOptions = {},
): Replaced {
  if (oldText === '') throw refusals.emptyText(path);
  const first = content.indexOf(oldText);
  if (first === -1) throw refusals.textNotFound(path, hintFor(content, oldText));
  if (options.replaceAll === true) {
    const parts = content.split(oldText);
    return { content: parts.join(newText), replacements: parts.length - 1 };
  }
  // From the next character on, since occurrences that overlap leave open which of them is meant.
  if (content.includes(oldText, first + 1)) throw refusals.textNotUnique(path);
  return { content: content.slice(0, first) + newText + content.slice(first + oldText.length), replacements: 1 };
}

/** Models write `\n`; in a file with `\r\n` they would try the same text for ever. */
function hintFor(content: string, oldText: string): string {
  return content.includes('\r\n') && content.includes(oldText.replace(/\r?\n/g, '\r\n'))
    ? 'Its lines end with \\r\\n: end the lines of the text likewise.'
    : 'Read the file, and give the text exactly as it stands there, with its white space.';
}
