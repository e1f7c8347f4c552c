import type { RunEntry } from 'toolwright/conversations';
import { listSteered } from 'toolwright/internal';

/** The changes that entries make to records and questions. */
export interface Marks {
  /** The ends of runs. */
  readonly ended: readonly RunEntry<'end'>[];
  /** The questions that are open after the entries. */
  readonly asked: readonly RunEntry<'question'>[];
  /** The ids of closed questions; `*` for all earlier questions. */
  readonly closed: readonly string[];
  /** The ids of messages that a run hears. */
  readonly heard: readonly string[];
}

/** Entries that change neither records nor questions. */
export const NO_MARKS: Marks = { ended: [], asked: [], closed: [], heard: [] };

/** Returns the changes that entries make to records and questions; undefined if there are none. */
export function marksOf(entries: readonly RunEntry[]): Marks | undefined {
  const ended: RunEntry<'end'>[] = [];
  const closed = new Set<string>();
  const asked = new Map<string, RunEntry<'question'>>();
  for (const entry of entries) {
    if (entry.kind === 'end') ended.push(entry);
    if (entry.kind === 'run' || entry.kind === 'end') {
      closed.add('*');
      asked.clear();
    }
    if (entry.kind === 'question') asked.set(entry.id, entry);
    if (entry.kind === 'reply') {
      asked.delete(entry.question);
      closed.add(entry.question);
    }
  }
  const heard = listSteered(entries);
  if (ended.length + asked.size + closed.size + heard.length === 0) return undefined;
  return { ended, asked: [...asked.values()], closed: [...closed], heard };
}
