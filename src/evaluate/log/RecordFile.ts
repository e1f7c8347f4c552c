import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomId } from '../../common/builtins.js';
import type { RunRecord } from '../../interface/RunRecords.js';
import type { LogEntry } from '../../interface/RunStore.js';
import { linesOf } from './linesOf.js';
import { placeOf, type LogCipher } from './LogCipher.js';
import { openFile, sync, syncFolder, writeWhole } from './logFiles.js';
import { RecordTable, type RecordLine } from './recordLines.js';

/** A line as it is written: what it says is encrypted if entries of conversations are. */
interface WrittenLine {
  /** Different for each line. */
  readonly id: string;
  readonly line?: readonly RecordLine[];
  readonly sealed?: string;
}

/** Lines of records have no places in a log of their own. */
const START = { epoch: 0, after: 0 } as const;

/** One file of records, and the table that its lines amount to as far as they were read. */
export class RecordFile {
  /** Counts the files before it. */
  readonly number: number;
  readonly path: string;
  readonly #cipher: LogCipher;
  #table = new RecordTable();
  /** The bytes that the table was read from, and the file that they are of. */
  #read = { size: 0, file: 0 };
  #isRagged = false;

  constructor(path: string, number: number, cipher: LogCipher) {
    this.path = path;
    this.number = number;
    this.#cipher = cipher;
  }

  get table(): RecordTable {
    return this.#table;
  }

  /** Reads what has been written since; returns false if there is no such file. */
  async read(): Promise<boolean> {
    const handle = await openFile(this.path, 'reading');
    if (handle === undefined) this.#forget();
    else await closing(handle, () => this.#catchUp(handle));
    return handle !== undefined;
  }

  /**
   * Writes a line. Only the first of the files is made for it, since the others are made whole, and may be gone.
   *
   * @returns the record after it, undefined if another line came first; `follows` if the file had ended, and nothing was written
   */
  async write(line: RecordLine, isDurable: boolean): Promise<{ readonly record: RunRecord | undefined } | 'follows'> {
    const handle = await openFile(this.path, this.number === 0 ? 'new' : 'existing');
    if (handle === undefined) return 'follows';
    return closing(handle, async () => {
      await this.#catchUp(handle);
      if (this.#table.isEnded) return 'follows';
      const isFirst = this.#read.size === 0;
      const id = randomId();
      const start = this.#isRagged ? '\n' : '';
      await writeWhole(this.path, handle, Buffer.from(`${start}${await writtenLine(line, this.#cipher, id)}`));
      if (isDurable) await sync(handle);
      if (isFirst) await syncFolder(dirname(this.path));
      return (await this.#catchUp(handle, id)) ?? 'follows';
    });
  }

  /** True if the file that was read last is still at its path. */
  async isThere(): Promise<boolean> {
    const handle = await openFile(this.path, 'reading');
    return handle !== undefined && closing(handle, async () => (await handle.stat()).ino === this.#read.file);
  }

  /** Reads what has been written since; returns the record after the line of this id, and undefined if that does not count. */
  async #catchUp(handle: FileHandle, id?: string): Promise<{ readonly record: RunRecord | undefined } | undefined> {
    const { size, ino } = await handle.stat();
    if (ino !== this.#read.file || size < this.#read.size) this.#forget();
    let found: { readonly record: RunRecord | undefined } | undefined;
    let position = this.#read.size;
    for await (const bytes of linesOf(handle, position, size)) {
      position += bytes.length + 1;
      const written = this.#table.isEnded ? undefined : parsed(bytes);
      if (written === undefined) continue;
      const record = this.#table.apply(await this.#opened(written));
      if (written.id === id) found = { record };
    }
    this.#read = { size: position, file: ino };
    this.#isRagged = position < size;
    return found;
  }

  async #opened({ id, line, sealed }: WrittenLine): Promise<RecordLine> {
    const batch = { ...START, id, count: 1, entries: line as unknown as readonly LogEntry[], sealed };
    const [opened] = await this.#cipher.open(batch, `runs ${id}`, this.path);
    return opened as unknown as RecordLine;
  }

  #forget(): void {
    this.#table = new RecordTable();
    this.#read = { size: 0, file: 0 };
    this.#isRagged = false;
  }
}

/** A line as a file has it, with its end. */
export async function writtenLine(line: RecordLine, cipher: LogCipher, id = randomId()): Promise<string> {
  const { json, sealed } = await cipher.close([line] as unknown as readonly LogEntry[], placeOf(`runs ${id}`, START));
  const content = sealed === undefined ? `"line":${json}` : `"sealed":${JSON.stringify(sealed)}`;
  return `{"id":"${id}",${content}}\n`;
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
