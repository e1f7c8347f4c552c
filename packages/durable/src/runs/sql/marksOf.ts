import type { LogEntry, QuestionAsked, RunEnded } from 'toolwright/conversations';

/** The changes that entries make to records and questions. */
export interface Marks {
  /** The ends of runs. */
  readonly ended: readonly RunEnded[];
  /** The questions that are open after the entries. */
  readonly asked: readonly QuestionAsked[];
  /** The ids of closed questions; `*` for all earlier questions. */
  readonly closed: readonly string[];
}

/** Returns the changes that entries make to records and questions; undefined if there are none. */
export function marksOf(entries: readonly LogEntry[]): Marks | undefined {
  const ended: RunEnded[] = [];
  const closed = new Set<string>();
  const asked = new Map<string, QuestionAsked>();
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
  if (ended.length + asked.size + closed.size === 0) return undefined;
  return { ended, asked: [...asked.values()], closed: [...closed] };
}
