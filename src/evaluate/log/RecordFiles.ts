import { link, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId } from '../../common/builtins.js';
import type { RunRecord } from '../../interface/RunRecords.js';
import { isAbsent } from './logFault.js';
import { removeFile, sync, syncFolder } from './logFiles.js';
import type { LogCipher } from './LogCipher.js';
import { RecordFile, writtenLine } from './RecordFile.js';
import type { RecordLine, RecordTable } from './recordLines.js';

/** `runs.log`, `runs-1.log`, ...; what is being made of one has an ending more. */
const NAME = /^runs(?:-(\d{1,15}))?\.log(\..+)?$/;
/** Lines that are written at a time. */
const LINES = 1_000;

/**
 * The files of records of a folder, of which the last one counts. A line ends a file for good, and the next one is made whole, with
 * the records that are left, under a name that only one process can take; the first to need it makes it. A name that was given up
 * does not come back: see `#giveUp`.
 */
export class RecordFiles {
  readonly #folder: string;
  readonly #cipher: LogCipher;
  #file: RecordFile | undefined;

  constructor(folder: string, cipher: LogCipher) {
    this.#folder = folder;
    this.#cipher = cipher;
  }

  /** Reads the records as they are now. */
  async table(): Promise<RecordTable> {
    for (;;) {
      const file = await this.#current();
      const isThere = await file.read();
      if (isThere && !file.table.isEnded) return file.table;
      // A file that has ended without a next one still has all records.
      if (!(await this.#hasMoved(file))) return file.table;
    }
  }

  /** Writes a line; returns the record after it, or undefined if another one came first. */
  async write(line: RecordLine, isDurable: boolean): Promise<RunRecord | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (;;) {
      const file = await this.#current();
      const written = await file.write(line, isDurable);
      if (written !== 'follows') return written.record;
      if (!(await this.#hasMoved(file))) await this.#makeNext(file);
    }
  }

  /** Goes on in a new file, without the records that were deleted; does nothing where files cannot have two names. */
  async compact(): Promise<void> {
    if (!(await this.#canLink())) return;
    const file = await this.#current();
    await file.write({ kind: 'ended' }, true);
    if (!(await this.#hasMoved(file))) await this.#makeNext(file);
  }

  async #current(): Promise<RecordFile> {
    return (this.#file ??= this.#fileOf(Math.max(0, ...(await this.#numbers()))));
  }

  /** Goes to the last file; returns false if it is this one. */
  async #hasMoved(file: RecordFile): Promise<boolean> {
    const last = Math.max(0, ...(await this.#numbers()));
    if (last === file.number) return false;
    this.#file = this.#fileOf(last);
    return true;
  }

  /** Makes the file that follows one that has ended, unless another process has. */
  async #makeNext(file: RecordFile): Promise<void> {
    await file.read();
    if (!file.table.isEnded) return;
    const next = file.number + 1;
    const made = `${this.#pathOf(next)}.${randomId()}`;
    await this.#writeNew(made, file.table.lines());
    // After the file is made, so that who gives up this one and the next one finds it: see #giveUp.
    if (await file.isThere()) await link(made, this.#pathOf(next)).catch(unlessTaken);
    await removeFile(made);
    await syncFolder(this.#folder);
    await this.#giveUp(file.number);
  }

  /**
   * Deletes the files up to a number. A process that was stopped before it made the next one of them must not make it afterwards:
   * it links what it has made only if the file before is still there, and here what was made is deleted in between.
   */
  async #giveUp(last: number): Promise<void> {
    for (const number of (await this.#numbers()).filter((one) => one <= last)) {
      for (const name of await this.#names()) {
        const [, digits = '0', isMade] = NAME.exec(name) ?? [];
        if (isMade !== undefined && Number(digits) <= number + 1) await removeFile(join(this.#folder, name));
      }
      if (number > 0) await removeFile(this.#pathOf(number));
      else await this.#leaveEnd();
    }
  }

  /** The first file stays, as one line: a process that begins to write would make it anew. */
  async #leaveEnd(): Promise<void> {
    for (;;) {
      const made = `${this.#pathOf(0)}.${randomId()}`;
      await this.#writeNew(made, [{ kind: 'ended' }]);
      if (await renamed(made, this.#pathOf(0))) return;
    }
  }

  async #writeNew(path: string, lines: Iterable<RecordLine>): Promise<void> {
    const handle = await open(path, 'wx', 0o600);
    try {
      let texts: string[] = [];
      for (const line of lines) {
        texts.push(await writtenLine(line, this.#cipher));
        if (texts.length < LINES) continue;
        await handle.appendFile(texts.join(''));
        texts = [];
      }
      await handle.appendFile(texts.join(''));
      await sync(handle);
    } finally {
      await handle.close();
    }
  }

  async #canLink(): Promise<boolean> {
    const [one, other] = [`${this.#pathOf(0)}.${randomId()}`, `${this.#pathOf(0)}.${randomId()}`];
    await this.#writeNew(one, []);
    try {
      await link(one, other);
      await removeFile(other);
      return true;
    } catch {
      return false;
    } finally {
      await removeFile(one);
    }
  }

  /** Those of the files, in order. */
  async #numbers(): Promise<readonly number[]> {
    const found = (await this.#names()).flatMap((name) => {
      const [, digits = '0', isMade] = NAME.exec(name) ?? [];
      return isMade === undefined ? [Number(digits)] : [];
    });
    return found.sort((one, other) => one - other);
  }

  async #names(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    return names.filter((name) => NAME.test(name));
  }

  #fileOf(number: number): RecordFile {
    return new RecordFile(this.#pathOf(number), number, this.#cipher);
  }

  #pathOf(number: number): string {
    return join(this.#folder, number === 0 ? 'runs.log' : `runs-${String(number)}.log`);
  }
}

/** Another process has made the file, or has given it up. */
function unlessTaken(error: unknown): void {
  if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'EEXIST') return;
  throw error;
}

/** Returns false if another process has deleted the file that was made. */
async function renamed(made: string, path: string): Promise<boolean> {
  try {
    await rename(made, path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}
