import type { Journal, JournalEntry } from 'toolwright/journal';

/** A journal in memory, whose entries pass through JSON as those of a file do. */
export class MemoryJournal implements Journal {
  readonly written: JournalEntry[];

  constructor(written: readonly JournalEntry[] = []) {
    this.written = [...written];
  }

  entries(): readonly JournalEntry[] {
    return [...this.written];
  }

  append(entry: JournalEntry): void {
    this.written.push(JSON.parse(JSON.stringify(entry)) as JournalEntry);
  }
}
