import { join } from 'node:path';
import type {
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RunChanges,
  RunCondition,
  RunFilter,
  RunRecord,
  RunRecords,
  WithinChange,
} from '../../interface/RunRecords.js';
import type { QuestionReply, RunStore } from '../../interface/RunStore.js';
import { systemClock } from '../../limit/SystemClock.js';
import { openQuestions } from '../questions.js';
import type { LogCipher } from './LogCipher.js';
import { guarded } from './logFault.js';
import { RecordFiles } from './RecordFiles.js';
import type { RecordLine, RecordTable } from './recordLines.js';

/** The most questions of a page. */
const PAGE = 100;

/**
 * The records of runs in append-only files of JSON Lines, of which the last one counts. Any number of processes may write: the
 * order of lines decides which of two changes that exclude each other counts.
 */
export class FileRecords implements RunRecords {
  readonly #path: string;
  readonly #files: RecordFiles;
  readonly #store: RunStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, cipher: LogCipher, store: RunStore) {
    this.#path = join(folder, 'runs.log');
    this.#files = new RecordFiles(folder, cipher);
    this.#store = store;
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    const created = await this.#write({ kind: 'created', at: systemClock.now(), run }, true);
    if (created === undefined) return 'exists';
    await within?.(undefined);
    return 'created';
  }

  async get(id: string): Promise<RunRecord | undefined> {
    return (await this.#current()).get(id);
  }

  async change(
    id: string,
    when: RunCondition,
    changes: RunChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined> {
    // What a worker did is in the log as well; what was asked for is nowhere else.
    const isAskedFor = changes.status === 'cancelled' || changes.status === 'paused' || changes.status === 'queued';
    const line = { kind: 'changed', at: systemClock.now(), run: id, when, changes } as const;
    const changed = await this.#write(line, isAskedFor);
    if (changed !== undefined) await within?.(undefined);
    return changed;
  }

  async head(conversation: string): Promise<RunRecord | undefined> {
    return (await this.#current()).head(conversation);
  }

  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    return (await this.#current()).list(filter);
  }

  async questions({ run, limit = PAGE, ...filter }: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    const table = await this.#current();
    const found: OpenQuestion[] = [];
    for (const record of table.list({ ...filter, status: ['waiting'], limit: Infinity })) {
      if (found.length >= limit) break;
      if (run !== undefined && record.id !== run) continue;
      const { id, conversation, tenant } = record;
      for (const { kind: _kind, ...asked } of openQuestions(await this.#store.entries(conversation)))
        found.push({ ...asked, id: asked.call, run: id, conversation, tenant });
    }
    return found.slice(0, limit);
  }

  async reply(run: RunRecord, call: string, reply: QuestionReply, within?: WithinChange): Promise<'taken' | 'late'> {
    const taken = await this.#store.reply(run.conversation, call, reply);
    // Also for a late one: the process of the first one may have ended before it got here.
    await this.change(run.id, { status: ['waiting'] }, { status: 'queued', expiresAt: null });
    await within?.(undefined);
    return taken;
  }

  async prune(before: Date): Promise<number> {
    const table = await this.#current();
    const ended = table.endedBefore(before.getTime());
    if (ended.length > 0) await this.#write({ kind: 'deleted', runs: ended.map(({ id }) => id) }, true);
    const left = await this.#current();
    for (const conversation of new Set(ended.map((run) => run.conversation)))
      if (left.isUnused(conversation)) await this.#store.delete(conversation);
    // Until another file follows, what was deleted is in this one, with its messages.
    if (left.holdsDeleted) await this.#inTurn('written', () => this.#files.compact());
    return ended.length;
  }

  #current(): Promise<RecordTable> {
    return this.#inTurn('read', () => this.#files.table());
  }

  #write(line: RecordLine, isDurable: boolean): Promise<RunRecord | undefined> {
    return this.#inTurn('written', () => this.#files.write(line, isDurable));
  }

  #inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => guarded(this.#path, what, work));
    this.#last = result.catch(() => undefined);
    return result;
  }
}
