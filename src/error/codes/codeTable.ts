import type { CodeEntry } from './CodeEntry.js';

/** Types a table by its codes: declarations would repeat the texts otherwise. */
export function codeTable<C extends string>(entries: Readonly<Record<C, CodeEntry>>): Readonly<Record<C, CodeEntry>> {
  return entries;
}
