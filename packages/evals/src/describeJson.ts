import { cut } from 'toolwright/internal/light';
import { MAX_DIFFERENCE_CHARS } from './limits.js';

/** Writes a value in one line for a person. */
export function describeJson(value: unknown): string {
  return shortenText(writeJsonText(value) ?? 'nothing', MAX_DIFFERENCE_CHARS);
}

/** Cuts a text that has more than `length` characters, and marks the cut. */
export function shortenText(text: string, length: number): string {
  return text.length > length ? `${cut(text, length)}…` : text;
}

/** Writes JSON; undefined for values without a form in JSON, such as functions, which the type of JSON.stringify conceals. */
export function writeJsonText(
  value: unknown,
  replace?: (this: Readonly<Record<string, unknown>>, key: string, value: unknown) => unknown,
): string | undefined {
  return JSON.stringify(value, replace);
}
