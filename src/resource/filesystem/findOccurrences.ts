import type { TimeSlice } from '../../common/TimeSlice.js';

/** Characters that are read before other work may run. */
const PIECE = 16_384;

interface SearchOptions {
  /** True if an occurrence may begin within the previous one. */
  readonly overlapping: boolean;
  readonly slice: TimeSlice;
}

/**
 * Finds the occurrences of a text, in order. On hostile content, `indexOf` compares a long text again at every place,
 * which takes hours. Here each character is read once (Knuth, Morris and Pratt), and other work runs between pieces.
 *
 * @param text not empty
 * @param found gets the place of each occurrence; returning false ends the search
 */
export async function findOccurrences(
  content: string,
  text: string,
  { overlapping, slice }: SearchOptions,
  found: (at: number) => boolean,
): Promise<void> {
  if (text.length > content.length) return;
  const borders = await computeBorders(text, slice);
  let matched = 0;
  for (let from = 0; from < content.length; from += PIECE) {
    const to = Math.min(from + PIECE, content.length);
    for (let at = from; at < to; at++) {
      matched = extend(text, borders, matched, content.charCodeAt(at));
      if (matched < text.length) continue;
      if (!found(at + 1 - text.length)) return;
      matched = overlapping ? (borders[matched - 1] ?? 0) : 0;
    }
    if (slice.isOver) await slice.next();
  }
}

/**
 * Returns, for each beginning of the text, the length of its longest border: a shorter beginning that is also its end.
 */
async function computeBorders(text: string, slice: TimeSlice): Promise<Uint32Array> {
  const borders = new Uint32Array(text.length);
  let matched = 0;
  for (let from = 1; from < text.length; from += PIECE) {
    const to = Math.min(from + PIECE, text.length);
    for (let at = from; at < to; at++) borders[at] = matched = extend(text, borders, matched, text.charCodeAt(at));
    if (slice.isOver) await slice.next();
  }
  return borders;
}

/** Returns how many characters of the text match after one more character was read. */
function extend(text: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return text.charCodeAt(length) === unit ? length + 1 : length;
}
