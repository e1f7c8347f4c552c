import type { EditOptions } from '../../interface/Filesystem.js';
import { refusals } from './refusals.js';

/** The result of a replacement. */
export interface Replaced {
  readonly content: string;
  readonly replacements: number;
}

/**
 * Replaces a part of a file's text; `$` and the like have no special meaning.
 *
 * @param path the file, as passed by the caller
 * @throws FilesystemError invalidPattern if the old text is empty, missing, or occurs more than once without `replaceAll`
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
  // From the next character on, since overlapping occurrences are ambiguous, too.
  if (content.includes(oldText, first + 1)) throw refusals.textNotUnique(path);
  return { content: content.slice(0, first) + newText + content.slice(first + oldText.length), replacements: 1 };
}

/** Returns a hint for the model; models write `\n`, and in a file with `\r\n` would repeat the same text forever. */
function hintFor(content: string, oldText: string): string {
  return content.includes('\r\n') && content.includes(oldText.replace(/\r?\n/g, '\r\n'))
    ? 'Its lines end with \\r\\n: end the lines of the text likewise.'
    : 'Read the file, and give the text exactly as it is there, with its white space.';
}
