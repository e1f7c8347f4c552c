import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crypto } from '../../common/builtins.js';
import type { LogEntry, LogPosition, OpenLog, QuestionReply } from '../../interface/RunStore.js';
import { appendRefused, differs, gone, noQuestion } from './appendRefused.js';
import { firstEpoch } from './firstEpoch.js';
import type { FolderOwner } from './FolderOwner.js';
import { damaged, guarded } from './logFault.js';
import { batchBytes, epochBytes, isEpoch, type BatchLine } from './logLine.js';
import { placeOf, type LogCipher } from './LogCipher.js';
import { grown } from './logState.js';
import { replyTo } from '../questions.js';
import { scanLog, START, type LogEnd, type LogMark, type OnLine } from './scanLog.js';
import { openFile, removeFile, startOf, sync, syncFolder, writeWhole } from './logFiles.js';

/** The start of the file: another file of the same name, made after this one was deleted, begins in another way. */
const HEAD_BYTES = 160;

interface Known {
  readonly head: Buffer;
  readonly mark: LogMark;
}

/** The end of the log after a batch was written. */
interface Written extends LogEnd {
  /** The batch counts, rather than one that was written at the same time. */
  readonly isFirst: boolean;
}

interface Found {
  readonly batch: BatchLine;
  readonly line: number;
}

/** Whose log it is. */
export interface LogParties {
  readonly cipher: LogCipher;
  /** Host and process, for messages. */
  readonly writer: string;
  /** Present if one store alone writes to the folder. */
  readonly owner: FolderOwner | undefined;
}

/** The file of one conversation. It may be used in several processes at once: see `judge`. */
export class ConversationLog {
  readonly path: string;
  readonly conversation: string;
  readonly #cipher: LogCipher;
  readonly #writer: string;
  readonly #owner: FolderOwner | undefined;
  #last: Promise<void> = Promise.resolve();
  #known: Known | undefined;
  /** A sync failed: pages may be lost although they can still be read, so that a repetition has to write them again. */
  #isDoubtful = false;

  constructor(path: string, conversation: string, { cipher, writer, owner }: LogParties) {
    this.path = path;
    this.conversation = conversation;
    this.#cipher = cipher;
    this.#writer = writer;
    this.#owner = owner;
  }

  open(): Promise<OpenLog> {
    return this.#inTurn('opened', async () => {
      for (;;) {
        const owner = await this.#owner?.number();
        const opened = await this.#withFile('open', (handle, isNew) => this.#raise(handle, isNew, owner));
        if (opened !== undefined) return opened;
      }
    });
  }

  append(position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    return this.#inTurn('written', async () => {
      await this.#owner?.number();
      const appended = await this.#withFile('existing', (handle) => this.#append(handle, position, entries));
      if (appended === undefined) throw gone(position);
    });
  }

  reply(call: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#inTurn('written', async () => {
      for (;;) {
        const answer = await this.#withFile('existing', (handle) => this.#reply(handle, call, reply));
        if (answer === undefined) throw noQuestion(this.conversation, call);
        if (answer !== 'again') return answer;
      }
    });
  }

  /** Reads without waiting for its turn: whatever is being written is not there yet. */
  entries(after: number): Promise<readonly LogEntry[]> {
    return guarded(this.path, 'read', async () => {
      const found = await this.#withFile('reading', async (handle) => {
        const known = await this.#mark(handle);
        const from = known.state.count <= after ? known : START;
        const read = await this.#read(handle, from);
        return this.#entriesOf(read.batches, after);
      });
      return found ?? [];
    });
  }

  /** Returns false if there is none, or it is not to be deleted any more once it is its turn. */
  delete(isDue: () => Promise<boolean> = isAlwaysDue): Promise<boolean> {
    return this.#inTurn('deleted', async () => {
      if (!(await isDue())) return false;
      this.#known = undefined;
      const isDeleted = await removeFile(this.path);
      if (isDeleted) await syncFolder(dirname(this.path));
      return isDeleted;
    });
  }

  /** Begins an epoch; undefined if another writer was faster. */
  async #raise(handle: FileHandle, isNew: boolean, owner: number | undefined): Promise<OpenLog | undefined> {
    const { batches, end } = await this.#read(handle, START);
    const { state } = end.mark;
    const epoch = state.epoch === 0 ? firstEpoch() : state.epoch + 1;
    const id = lineId();
    const { conversation } = this;
    const line = epochBytes(state, { epoch, after: state.count, id, writer: this.#writer, conversation, owner });
    await this.#write(handle, end, line);
    if (isNew) await syncFolder(dirname(this.path));
    // What the writer before wrote until then is part of the log, and so are replies since then.
    const ids = new Set<string>();
    const seen: Found[] = [];
    const after = await scanLog(this, handle, end.mark, (next, number) => {
      ids.add(next.id);
      if (!isEpoch(next) && next.epoch <= epoch) seen.push({ batch: next, line: number });
    });
    if (!ids.has(id)) return undefined;
    await this.#remember(handle, after);
    return { epoch, entries: await this.#entriesOf([...batches, ...seen], 0) };
  }

  async #append(handle: FileHandle, position: LogPosition, entries: readonly LogEntry[]): Promise<true> {
    const { epoch, after } = position;
    const end = await scanLog(this, handle, await this.#mark(handle), ignore);
    const refusal = appendRefused(position, entries, end.mark.state);
    if (refusal !== undefined) throw refusal;
    const isRepeated = after < end.mark.state.count;
    if (isRepeated) await this.#checkSame(handle, position, entries);
    if (entries.length === 0) return true;
    if (isRepeated && !this.#isDoubtful) {
      // The process may have ended, or the acknowledgement been lost, before they were safe.
      await sync(handle);
      return true;
    }
    const ours = await this.#writeBatch(handle, end, { epoch, after }, entries);
    if (isRepeated || ours.isFirst) return true;
    // Another line came in between: it raised the epoch, or is the same append after a write that only seemed to fail.
    const late = appendRefused(position, entries, ours.mark.state);
    if (late !== undefined) throw late;
    await this.#checkSame(handle, position, entries);
    return true;
  }

  async #reply(handle: FileHandle, call: string, reply: QuestionReply): Promise<'taken' | 'late' | 'again'> {
    const { batches, end } = await this.#read(handle, START);
    const about = replyTo(await this.#entriesOf(batches, 0), this.conversation, call, reply);
    if (about === 'none') throw noQuestion(this.conversation, call);
    if (about === 'late') return 'late';
    const { epoch, count: after } = end.mark.state;
    const { isFirst } = await this.#writeBatch(handle, end, { epoch, after }, [{ kind: 'reply', call, reply }]);
    return isFirst ? 'taken' : 'again';
  }

  /** Writes a batch. */
  async #writeBatch(
    handle: FileHandle,
    end: LogEnd,
    at: Pick<LogPosition, 'epoch' | 'after'>,
    entries: readonly LogEntry[],
  ): Promise<Written> {
    const id = lineId();
    const head = { ...at, id, count: entries.length };
    const bytes = batchBytes(end.mark.state, head, await this.#cipher.close(entries, placeOf(this.conversation, head)));
    await this.#write(handle, end, bytes);
    // A batch that was written before has to be looked for: the earlier one counts.
    const isNext = at.after === end.mark.state.count;
    const after =
      (isNext ? await alone(handle, end, bytes.length, head.count) : undefined) ?? (await this.#find(handle, end, id));
    await this.#remember(handle, after);
    return after;
  }

  /** Reads what has been written since, by others as well. */
  async #find(handle: FileHandle, end: LogEnd, id: string): Promise<Written> {
    let isFirst = false;
    const after = await scanLog(this, handle, end.mark, (line) => {
      if (line.id === id) isFirst = true;
    });
    return { ...after, isFirst };
  }

  async #write(handle: FileHandle, { ragged }: LogEnd, line: Buffer): Promise<void> {
    this.#known = undefined;
    // After a line that was cut off, the next one begins on a line of its own.
    await writeWhole(this.path, handle, ragged ? Buffer.concat([Buffer.from('\n'), line]) : line);
    this.#isDoubtful = true;
    await sync(handle);
    this.#isDoubtful = false;
  }

  /** @throws PromptEvaluationError E709 unless the entries stand there already */
  async #checkSame(handle: FileHandle, { after }: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    const { batches } = await this.#read(handle, START);
    const there = (await this.#entriesOf(batches, after)).slice(0, entries.length);
    if (JSON.stringify(there) !== JSON.stringify(entries)) throw differs(this.conversation, after);
  }

  async #read(handle: FileHandle, from: LogMark): Promise<{ batches: readonly Found[]; end: LogEnd }> {
    const batches: Found[] = [];
    const onLine: OnLine = (line, number) => {
      if (!isEpoch(line)) batches.push({ batch: line, line: number });
    };
    return { end: await scanLog(this, handle, from, onLine), batches };
  }

  /** The entries after the first ones. */
  async #entriesOf(batches: readonly Found[], after: number): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    for (const { batch, line } of batches) {
      if (batch.after + batch.count <= after) continue;
      const place = `${this.path}:${String(line)}`;
      const opened = await this.#cipher.open(batch, this.conversation, place);
      if (opened.length !== batch.count) throw damaged(this.path, line, 'the number of its entries is another');
      for (const [index, entry] of opened.entries()) if (batch.after + index >= after) entries.push(entry);
    }
    return entries;
  }

  /** Where the last look at the file ended; its start, if it is another file now. */
  async #mark(handle: FileHandle): Promise<LogMark> {
    const known = this.#known;
    if (known === undefined) return START;
    const { size } = await handle.stat();
    const isSame = size >= known.mark.offset && (await startOf(handle, known.head.length)).equals(known.head);
    return isSame ? known.mark : START;
  }

  async #remember(handle: FileHandle, { mark }: LogEnd): Promise<void> {
    this.#known = { head: await startOf(handle, Math.min(HEAD_BYTES, mark.offset)), mark };
  }

  /** Opens the file for the work, and closes it; undefined if there is none. */
  async #withFile<T>(
    purpose: 'reading' | 'existing' | 'open',
    work: (handle: FileHandle, isNew: boolean) => Promise<T>,
  ): Promise<T | undefined> {
    let isNew = false;
    let handle = await openFile(this.path, purpose === 'reading' ? 'reading' : 'existing');
    if (handle === undefined && purpose === 'open') {
      isNew = true;
      handle = await openFile(this.path, 'new');
    }
    if (handle === undefined) return undefined;
    try {
      return await work(handle, isNew);
    } finally {
      await handle.close();
    }
  }

  /** One at a time: others of this process would only be told that they lost a race. */
  #inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => guarded(this.path, what, work));
    this.#last = turn.then(ignore, ignore);
    return turn;
  }
}

/** The end of the log if nothing but the batch was written since: it need not be read back then. */
async function alone(
  handle: FileHandle,
  { mark, ragged }: LogEnd,
  length: number,
  count: number,
): Promise<Written | undefined> {
  const { size } = await handle.stat();
  if (ragged || size !== mark.offset + length) return undefined;
  const state = grown(mark.state, count);
  return { mark: { offset: size, line: mark.line + 1, state }, ragged, isFirst: true };
}

function isAlwaysDue(): Promise<boolean> {
  return Promise.resolve(true);
}

function ignore(): void {
  // Nothing to do.
}

/** Different for each line of a file, and short, since it is in each. */
function lineId(): string {
  return crypto().randomBytes(6).toString('base64url');
}
