import { PromptEvaluationError } from 'toolwright';
import type { RunEntry, LogPosition, OpenLog, QuestionReply, RunStore } from 'toolwright/conversations';
import { listOpenQuestions, requireId } from 'toolwright/internal';

interface Log {
  epoch: number;
  readonly entries: string[];
}

interface WrittenChange {
  /** As JSON. */
  readonly delta: string;
  readonly conversation: string;
  readonly epoch: number;
}

/** What all stores on one storage share. */
export interface Memory {
  readonly logs: Map<string, Log>;
  /** The changes of shared sessions, by name: what was written, and by which writer. */
  readonly sessions: Map<string, readonly WrittenChange[]>;
  /** Never given twice, even if a log is deleted. */
  epochs: number;
}

export const newMemory = (): Memory => ({ logs: new Map(), sessions: new Map(), epochs: 0 });

/** A store in memory that keeps the contract; subclasses break it in one way each. */
export class MemoryRuns implements RunStore {
  protected readonly memory: Memory;

  constructor(memory: Memory = newMemory()) {
    this.memory = memory;
  }

  open(conversation: string): Promise<OpenLog> {
    requireId('MemoryRuns.open', 'conversation', conversation);
    const log = this.memory.logs.get(conversation) ?? { epoch: 0, entries: [] };
    this.memory.logs.set(conversation, log);
    log.epoch = this.nextEpoch();
    return Promise.resolve({ epoch: log.epoch, entries: read(log) });
  }

  append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    return this.guarded(() => {
      const { conversation, epoch, after } = position;
      requireId('MemoryRuns.append', 'conversation', conversation);
      const log = this.memory.logs.get(conversation);
      if (log === undefined || !this.mayWrite(log, epoch)) throw refusal('another writer');
      const texts = entries.map((entry) => JSON.stringify(entry));
      if (after > log.entries.length) throw refusal('a gap');
      const isThere = after < log.entries.length;
      if (isThere) this.repeated(log, after, texts);
      this.changeSession(position, { isRepeated: isThere || texts.length === 0, isNew: !isThere });
      if (isThere) return;
      this.write(log, texts);
      this.wrote(conversation, entries);
    });
  }

  reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.guarded(() => this.answer(conversation, question, reply));
  }

  /** @param run that asked the question; any when left out */
  answer(conversation: string, question: string, reply: QuestionReply, run?: string): 'taken' | 'late' {
    requireId('MemoryRuns.reply', 'conversation', conversation);
    requireId('MemoryRuns.reply', 'question', question);
    const log = this.memory.logs.get(conversation);
    const entries = log === undefined ? [] : read(log);
    const at = entries.findIndex((entry) => entry.kind === 'question' && entry.id === question);
    const asked = entries[at];
    if (log === undefined || asked?.kind !== 'question') throw refusal('no question');
    if (reply.kind !== 'lifted' && entries.slice(at + 1).some((entry) => this.closes(entry, asked))) return 'late';
    const asker = entries
      .slice(0, at)
      .reverse()
      .find((entry) => entry.kind === 'run');
    if (run !== undefined && asker?.kind === 'run' && asker.run !== run) throw refusal('of another run');
    if (reply.kind === 'lifted') return this.lift(log, entries, asked, reply);
    if (!this.fits(asked, reply))
      throw new PromptEvaluationError('another kind of reply', { phase: 'tool', code: 'E735' });
    log.entries.push(JSON.stringify({ kind: 'reply', question, call: asked.call, reply }));
    return 'taken';
  }

  /** Lifts a denial that holds until then, unless a run goes on. */
  protected lift(
    log: Log,
    entries: readonly RunEntry[],
    { id: question, call }: RunEntry<'question'>,
    reply: QuestionReply,
  ): 'taken' | 'late' {
    const replies = entries.flatMap((entry) =>
      entry.kind === 'reply' && entry.question === question ? [entry.reply] : [],
    );
    if (replies.some(({ kind }) => kind === 'lifted')) return 'late';
    const isHeld = replies.some((given) => given.kind === 'denied' && given.until === 'lifted');
    const last = entries.filter(({ kind }) => kind === 'run' || kind === 'end').at(-1);
    if (!isHeld || (last?.kind === 'run' && listOpenQuestions(entries).length === 0))
      throw new PromptEvaluationError('nothing to lift', { phase: 'tool', code: 'E735' });
    log.entries.push(JSON.stringify({ kind: 'reply', question, call, reply }));
    return 'taken';
  }

  /** True if a question waits for its reply. */
  protected asks(conversation: string, question: string): boolean {
    const log = this.memory.logs.get(conversation);
    const entries = log === undefined ? [] : read(log);
    const at = entries.findIndex((entry) => entry.kind === 'question' && entry.id === question);
    const asked = entries[at];
    return asked?.kind === 'question' && !entries.slice(at + 1).some((entry) => this.closes(entry, asked));
  }

  async entries(conversation: string, after = 0): Promise<readonly RunEntry[]> {
    requireId('MemoryRuns.entries', 'conversation', conversation);
    const log = this.memory.logs.get(conversation);
    return Promise.resolve(log === undefined ? [] : read(log).slice(after));
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.memory.logs.keys()]);
  }

  delete(conversation: string): Promise<void> {
    requireId('MemoryRuns.delete', 'conversation', conversation);
    this.memory.logs.delete(conversation);
    return Promise.resolve();
  }

  protected nextEpoch(): number {
    return ++this.memory.epochs;
  }

  protected mayWrite(log: Log, epoch: number): boolean {
    return log.epoch === epoch;
  }

  protected write(log: Log, texts: readonly string[]): void {
    log.entries.push(...texts);
  }

  /** Called with entries that were appended. */
  protected wrote(_conversation: string, _entries: readonly RunEntry[]): void {
    // A store without records has nothing else to change.
  }

  /**
   * Writes the changes of a session, before the entries.
   *
   * @param append what it can be by its entries: one that is there already, or a new one
   */
  protected changeSession(_position: LogPosition, _append: { isRepeated: boolean; isNew: boolean }): void {
    // A store without sessions has nothing to change.
  }

  protected repeated(log: Log, after: number, texts: readonly string[]): void {
    if (!texts.every((text, index) => log.entries[after + index] === text)) throw refusal('other entries');
  }

  /** True for a later entry that closes a question: a later question about the same call does as well. */
  protected closes(entry: RunEntry, { id, call }: RunEntry<'question'>): boolean {
    if (entry.kind === 'reply') return entry.question === id;
    if (entry.kind === 'outcome' || entry.kind === 'question') return entry.call === call;
    return entry.kind === 'end' || entry.kind === 'run';
  }

  protected fits({ about }: RunEntry<'question'>, { kind }: QuestionReply): boolean {
    return kind === 'denied' || (kind === 'approved') === (about === 'approval');
  }

  protected guarded<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      resolve(work());
    });
  }
}

function read({ entries }: Log): readonly RunEntry[] {
  return entries.map((text) => JSON.parse(text) as RunEntry);
}

function refusal(problem: string): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase: 'tool', code: 'E709' });
}
