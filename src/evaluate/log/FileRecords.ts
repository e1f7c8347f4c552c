import { mkdir, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomId } from '../../common/builtins.js';
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
import type { LogEntry, QuestionReply, RunStore } from '../../interface/RunStore.js';
import { systemClock } from '../../limit/SystemClock.js';
import { openQuestions } from '../questions.js';
import type { LogCipher } from './LogCipher.js';
import { linesOf } from './linesOf.js';
import { guarded } from './logFault.js';
import { openFile, sync, syncFolder, writeWhole } from './logFiles.js';
import { RecordTable, type RecordLine } from './recordLines.js';

/** The most questions of a page. */
const PAGE = 100;

/** A line as it is written: what it says is encrypted if entries of conversations are. */
interface WrittenLine {
  /** Different for each line. */
  readonly id: string;
  readonly line?: readonly RecordLine[];
  readonly sealed?: string;
}

/**
 * The records of runs in one append-only file of JSON Lines, which any number of processes may write: the order of lines decides
 * which of two changes that exclude each other counts.
 */
export class FileRecords implements RunRecords {
  readonly #path: string;
  readonly #cipher: LogCipher;
  readonly #store: RunStore;
  #table = new RecordTable();
  /** The bytes that the table was read from, and the file that they are of. */
  #read = { size: 0, file: 0 };
  #isRagged = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, cipher: LogCipher, store: RunStore) {
    this.#path = path;
    this.#cipher = cipher;
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
    if (ended.length === 0) return 0;
    await this.#write({ kind: 'deleted', runs: ended.map(({ id }) => id) }, true);
    for (const conversation of new Set(ended.map((run) => run.conversation)))
      if (table.isUnused(conversation)) await this.#store.delete(conversation);
    return ended.length;
  }

  #current(): Promise<RecordTable> {
    return this.#inTurn('read', async () => {
      const handle = await openFile(this.#path, 'reading');
      if (handle === undefined) this.#forget();
      else await closing(handle, () => this.#catchUp(handle));
      return this.#table;
    });
  }

  /** Writes a line; returns the record after it, or undefined if another one came first. */
  #write(line: RecordLine, isDurable: boolean): Promise<RunRecord | undefined> {
    return this.#inTurn('written', async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      const handle = await openFile(this.#path, 'new');
      if (handle === undefined) return undefined;
      return closing(handle, async () => {
        await this.#catchUp(handle);
        const isFirst = this.#read.size === 0;
        const id = randomId();
        const { json, sealed } = await this.#cipher.close([line] as unknown as readonly LogEntry[], placeOf(id));
        const content = sealed === undefined ? `"line":${json}` : `"sealed":${JSON.stringify(sealed)}`;
        const start = this.#isRagged ? '\n' : '';
        await writeWhole(this.#path, handle, Buffer.from(`${start}{"id":"${id}",${content}}\n`));
        if (isDurable) await sync(handle);
        if (isFirst) await syncFolder(dirname(this.#path));
        return this.#catchUp(handle, id);
      });
    });
  }

  /** Reads what has been written since; returns the record after the line of this id. */
  async #catchUp(handle: FileHandle, id?: string): Promise<RunRecord | undefined> {
    const { size, ino } = await handle.stat();
    if (ino !== this.#read.file || size < this.#read.size) this.#forget();
    let found: RunRecord | undefined;
    let position = this.#read.size;
    for await (const bytes of linesOf(handle, position, size)) {
      position += bytes.length + 1;
      const written = parsed(bytes);
      if (written === undefined) continue;
      const record = this.#table.apply(await this.#opened(written));
      if (written.id === id) found = record;
    }
    this.#read = { size: position, file: ino };
    this.#isRagged = position < size;
    return found;
  }

  async #opened({ id, line, sealed }: WrittenLine): Promise<RecordLine> {
    const batch = { epoch: 0, after: 0, id, count: 1, entries: line as unknown as readonly LogEntry[], sealed };
    const [opened] = await this.#cipher.open(batch, `runs ${id}`, this.#path);
    return opened as unknown as RecordLine;
  }

  #forget(): void {
    this.#table = new RecordTable();
    this.#read = { size: 0, file: 0 };
    this.#isRagged = false;
  }

  #inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => guarded(this.#path, what, work));
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function placeOf(id: string): string {
  return `runs ${id}/0/0`;
}

/** Undefined for a line that was cut off: its process ended before it was acknowledged. */
function parsed(bytes: Buffer): WrittenLine | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as WrittenLine;
  } catch {
    return undefined;
  }
}

async function closing<T>(handle: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await handle.close();
  }
}
