import type { SourceMapPayload } from 'node:module';
import type { ProgramPlace } from '../createFault.js';

/** Maps the tokens of a transformed text to the original. */
export type SourceMap = Pick<SourceMapPayload, 'version' | 'file' | 'sources' | 'names' | 'mappings'>;

/** Base 64, as source maps use it: the value of each ASCII character. */
const DIGITS = new Uint8Array(128);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let value = 0; value < ALPHABET.length; value++) DIGITS[ALPHABET.charCodeAt(value)] = value;
const MORE = 32;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
/** Indexes of a segment's numbers; each is relative to the same number of the previous segment. */
const [COLUMN, ORIGINAL_LINE, ORIGINAL_COLUMN] = [0, 2, 3];

/**
 * Maps a place in the transformed text to the original. Lines are the same; columns are found by token. Reads the map in one pass
 * and stores nothing: a reader that makes an entry for each token holds the event loop for a third of a second.
 */
export function mapToSource({ mappings }: SourceMap, { line, column }: ProgramPlace): ProgramPlace {
  const state = [0, 0, 0, 0];
  let nearest: { readonly column: number; readonly original: number } | undefined;
  let [at, number, field, value, shift] = [0, 1, 0, 0, 0];
  for (; at <= mappings.length && number <= line; at++) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : SEMICOLON;
    if (code !== COMMA && code !== SEMICOLON) {
      const digit = DIGITS[code] ?? 0;
      value += (digit & (MORE - 1)) << shift;
      shift += 5;
      if ((digit & MORE) !== 0) continue;
      if (field < state.length) state[field] = (state[field] ?? 0) + ((value & 1) === 1 ? -(value >> 1) : value >> 1);
      [field, value, shift] = [field + 1, 0, 0];
      continue;
    }
    const generated = state[COLUMN] ?? 0;
    const isOfLine = number === line && state[ORIGINAL_LINE] === line - 1 && field > ORIGINAL_COLUMN;
    if (isOfLine && generated < column) nearest = { column: generated, original: state[ORIGINAL_COLUMN] ?? 0 };
    field = 0;
    if (code === SEMICOLON) {
      number++;
      state[COLUMN] = 0;
    }
  }
  if (nearest === undefined) return { line, column };
  return { line, column: nearest.original + (column - 1 - nearest.column) + 1 };
}
