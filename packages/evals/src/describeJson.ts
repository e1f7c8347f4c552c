import { cut } from 'toolwright/internal/light';
import { MAX_DIFFERENCE_CHARS } from './limits.js';

/** Writes a value in one line for a person. */
export function describeJson(value: unknown): string {
  const text = writeJsonText(value) ?? 'nothing';
  return text.length > MAX_DIFFERENCE_CHARS ? `${cut(text, MAX_DIFFERENCE_CHARS)}…` : text;
}

/** Writes JSON; undefined for what JSON has no form for, such as functions, which the type of JSON.stringify conceals. */
export function writeJsonText(
  value: unknown,
  replace?: (this: Readonly<Record<string, unknown>>, key: string, value: unknown) => unknown,
): string | undefined {
  return JSON.stringify(value, replace);
}
