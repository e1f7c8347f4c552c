import type { LogEntry } from '../../interface/RunStore.js';

/** The last question about a call: can it be answered, is it too late, or was it never asked? */
export function questionAbout(call: string, entries: readonly LogEntry[]): 'open' | 'late' | 'none' {
  let found: 'open' | 'late' | 'none' = 'none';
  for (const entry of entries) {
    if (entry.kind === 'question' && entry.call === call) found = 'open';
    else if (found === 'open' && closes(entry, call)) found = 'late';
  }
  return found;
}

/** An answer, or the end of the call or of its run. */
function closes(entry: LogEntry, call: string): boolean {
  switch (entry.kind) {
    case 'reply':
    case 'outcome':
      return entry.call === call;
    case 'run':
    case 'end':
      return true;
    default:
      return false;
  }
}
