import { access, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guarded, isAbsent, logFault } from './logFault.js';

const NAME = /^owner-(\d{1,15})$/;

/**
 * The claim of one store to all logs of a folder: the last one that claimed it is the owner. Claims are numbered files that are
 * made once, so that two processes cannot have the same number; a process that ends leaves nothing to be broken.
 */
export class FolderOwner {
  readonly #folder: string;
  readonly #writer: string;
  #claim: Promise<number> | undefined;

  constructor(folder: string, writer: string) {
    this.#folder = folder;
    this.#writer = writer;
  }

  /**
   * Returns the number of the claim, which is made first if there is none.
   *
   * @throws PromptEvaluationError E709 if another store has claimed the folder since
   */
  async number(): Promise<number> {
    return guarded(this.#folder, 'claimed', async () => {
      if (this.#claim === undefined) {
        const claim = this.#make();
        this.#claim = claim;
        // A folder that could not be claimed is tried again.
        claim.catch(() => (this.#claim = undefined));
        return claim;
      }
      const number = await this.#claim;
      if (await exists(this.#pathOf(number))) return number;
      throw await this.#lost();
    });
  }

  async #make(): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const earlier = await this.#numbers();
    let number = Math.max(0, ...earlier) + 1;
    while (!(await made(this.#pathOf(number), this.#writer))) number += 1;
    for (const one of await this.#numbers()) if (one < number) await removed(this.#pathOf(one));
    return number;
  }

  async #numbers(): Promise<readonly number[]> {
    const names = await readdir(this.#folder);
    return names.flatMap((name) => {
      const digits = NAME.exec(name)?.[1];
      return digits === undefined ? [] : [Number(digits)];
    });
  }

  async #lost(): Promise<Error> {
    const last = Math.max(0, ...(await this.#numbers()));
    const who = await readFile(this.#pathOf(last), 'utf8').catch(() => '');
    return logFault(`another store has claimed the folder since${who === '' ? '' : `: ${who}`}; nothing was written`, {
      place: this.#folder,
      remedy: 'End the runs of this process. To go on, make another FileRuns, which takes the folder back.',
    });
  }

  #pathOf(number: number): string {
    return join(this.#folder, `owner-${String(number)}`);
  }
}

/** Returns false if there is such a file already. */
async function made(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isAbsent(error)) throw error;
  });
}
