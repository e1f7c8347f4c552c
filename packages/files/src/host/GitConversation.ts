import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { childProcess, host, messageOf } from 'toolwright/internal/light';
import { hostRefusals } from './hostRefusals.js';

const NEWLINE = 0x0a;

/** Git settings that override the user's: large files are never held in memory, and are compressed lightly. */
const SETTINGS = ['core.bigFileThreshold=16m', 'core.compression=1', 'core.fsync=none', 'core.hooksPath=/dev/null'];

/**
 * A git process on a private repository that answers requests. Files of the user or of the tree cannot configure it or its
 * environment.
 */
export class GitConversation {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<Buffer>;
  readonly #ended: Promise<void>;
  #rest: Buffer = Buffer.alloc(0);

  /**
   * @param folder the repository, also the working directory of git
   * @param command the command of git with its arguments
   */
  constructor(folder: string, command: readonly string[]) {
    const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
    this.#child = childProcess().spawn('git', [...settings, ...command], {
      cwd: folder,
      env: {
        PATH: host.env['PATH'],
        LC_ALL: 'C',
        GIT_DIR: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
      },
    });
    this.#answers = this.#child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#ended = endOf(this.#child);
    // The rejection is reported when an answer is missing, and by `end`.
    this.#ended.catch(() => undefined);
    this.#child.stdin.on('error', () => undefined);
  }

  /** Sends a line, and returns the line that answers it. @throws ResourceError E907 if the process ends instead */
  async ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    const parts: Buffer[] = [];
    for (;;) {
      const part = await this.#readNext();
      const end = part.indexOf(NEWLINE);
      parts.push(end === -1 ? part : part.subarray(0, end));
      if (end === -1) continue;
      this.#rest = part.subarray(end + 1);
      return Buffer.concat(parts).toString();
    }
  }

  /** Yields `count` bytes of an answer, and skips the line end after them. @throws ResourceError E907 if the process ends before */
  async *bytes(count: number): AsyncGenerator<Buffer, void> {
    let missing = count;
    while (missing > 0) {
      const part = await this.#readNext();
      this.#rest = part.subarray(missing);
      missing -= Math.min(part.length, missing);
      yield part.subarray(0, part.length - this.#rest.length);
    }
    this.#rest = (await this.#readNext()).subarray(1);
  }

  /** Ends the process. @throws ResourceError E907 if it ends with an error */
  async end(): Promise<void> {
    this.#child.stdin.end();
    while ((await this.#answers.next()).done !== true);
    await this.#ended;
  }

  /** Reads the next output; never empty. */
  async #readNext(): Promise<Buffer> {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    if (rest.length > 0) return rest;
    const answer = await this.#answers.next();
    if (answer.done !== true) return answer.value;
    await this.#ended;
    throw hostRefusals.gitFailed('it ended before it had answered');
  }
}

/** Waits for the end of the process. Rejects if it cannot be started, or ends with an error. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<void> {
  const errorText: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => errorText.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(hostRefusals.gitFailed(messageOf(error), error)));
    child.once('close', (code, signal) => {
      const said = Buffer.concat(errorText).toString().trim();
      if (code === 0) resolve();
      else reject(hostRefusals.gitFailed(said || `it ended with ${String(code ?? signal)}`));
    });
  });
}
