import {
  Conversation,
  type RunEntry,
  type LogPosition,
  type OpenLog,
  type QuestionReply,
  type RunStore,
} from 'toolwright/conversations';

/** The log of a conversation as plain data, as a file gives it back. */
export function logOf(conversation: Conversation): readonly RunEntry[] {
  return (JSON.parse(JSON.stringify(conversation)) as { readonly entries: readonly RunEntry[] }).entries;
}

/**
 * A conversation as another process finds it, after the first one was killed.
 *
 * @param length the number of entries that it had written; all before the end of its last run when left out
 */
export function reopened(conversation: Conversation, length?: number): Conversation {
  const entries = logOf(conversation);
  const ended = entries.at(-1)?.kind === 'end' ? entries.length - 1 : entries.length;
  const json = { format: 'toolwright/conversation', version: 1, id: conversation.id };
  return Conversation.fromJSON({ ...json, entries: entries.slice(0, length ?? ended) });
}

/** A store of one conversation in memory, whose entries pass through JSON as those of a file do. */
export class MemoryRuns implements RunStore {
  readonly written: RunEntry[];
  /** The numbers of entries that were appended at once. */
  readonly batches: number[] = [];
  #epoch = 0;

  constructor(written: readonly RunEntry[] = []) {
    this.written = [...written];
  }

  async open(): Promise<OpenLog> {
    return { epoch: ++this.#epoch, entries: [...this.written] };
  }

  async append({ epoch, after }: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    if (epoch !== this.#epoch || after !== this.written.length) throw new RangeError('not the place of an append');
    this.batches.push(entries.length);
    this.written.push(...(JSON.parse(JSON.stringify(entries)) as readonly RunEntry[]));
  }

  async reply(_conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const asked = this.written.find((entry) => entry.kind === 'question' && entry.id === question);
    if (asked?.kind !== 'question') throw new RangeError('no such question');
    this.written.push({ kind: 'reply', question, call: asked.call, reply });
    return 'taken';
  }

  async entries(_conversation: string, after = 0): Promise<readonly RunEntry[]> {
    return this.written.slice(after);
  }

  async list(): Promise<readonly string[]> {
    return this.written.flatMap((entry) => (entry.kind === 'conversation' ? [entry.id] : []));
  }

  async delete(): Promise<void> {
    this.written.length = 0;
  }
}
