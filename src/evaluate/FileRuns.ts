import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { host } from '../common/builtins.js';
import { describeValue } from '../common/text.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import type { LogEntry, LogPosition, OpenLog, QuestionReply, RunStore } from '../interface/RunStore.js';
import { ConversationLog } from './log/ConversationLog.js';
import { guarded, isAbsent, logFault } from './log/logFault.js';
import { conversationOf, logFileName } from './log/logFileName.js';
import { LogCipher, type CipherOptions } from './log/LogCipher.js';
import { headOf } from './log/headOf.js';

const optionNames: OptionNames<FileRunsOptions> = { encrypt: 1, decrypt: 1 };

/** Options of `FileRuns`. */
export type FileRunsOptions = CipherOptions;

/** Logs of which a store remembers how far it has read; of others it reads the file from its start. */
const REMEMBERED = 1_000;

/**
 * A store of conversations in a folder: for each an append-only file of JSON Lines, readable for its owner only, on a disk of
 * this machine. It holds arguments and results as they are, secrets included, unless `encrypt` and `decrypt` are given.
 *
 * Any number of processes may share the folder: the order of lines in a file decides whose appends count, so that there are no
 * locks that a process could leave behind. Network file systems do not keep that order.
 *
 * @example
 * const store = new FileRuns('./runs');
 * const { epoch, entries } = await store.open('c-17');
 * await store.append({ conversation: 'c-17', epoch, after: entries.length }, [entry]);
 */
export class FileRuns implements RunStore {
  readonly folder: string;
  readonly #cipher: LogCipher;
  readonly #logs = new Map<string, ConversationLog>();

  /**
   * @param folder created by the first `open` if it does not exist
   * @throws PromptEvaluationError E709 for one of `encrypt` and `decrypt` without the other
   */
  constructor(folder: string, options: FileRunsOptions = {}) {
    requireOptionNames('FileRuns', options, optionNames);
    this.folder = folder;
    this.#cipher = new LogCipher(options);
  }

  /** @throws PromptEvaluationError E709 for a file that is damaged, of a newer version, encrypted otherwise, or not to be used */
  async open(conversation: string): Promise<OpenLog> {
    const log = this.#logOf(conversation);
    await guarded(this.folder, 'made a folder', () => mkdir(this.folder, { recursive: true, mode: 0o700 }));
    return log.open();
  }

  /** @throws PromptEvaluationError E709 if another writer opened the log since, or it cannot be written */
  async append(position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    await this.#logOf(position.conversation).append(position, entries);
  }

  /** @throws PromptEvaluationError E709 if there never was such a question, or the file cannot be used */
  async reply(conversation: string, call: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#logOf(conversation).reply(call, reply);
  }

  /** @throws PromptEvaluationError E709 as for `open` */
  async entries(conversation: string, after = 0): Promise<readonly LogEntry[]> {
    return this.#logOf(conversation).entries(after);
  }

  /** @throws PromptEvaluationError E709 if the folder cannot be read */
  async list(): Promise<readonly string[]> {
    const names = await guarded(this.folder, 'read', () => readdir(this.folder).catch(none));
    const found: string[] = [];
    for (const name of names) {
      const named = conversationOf(name);
      const id = named === 'hashed' ? await this.#idIn(name) : named?.id;
      if (id !== undefined) found.push(id);
    }
    return found;
  }

  /** @throws PromptEvaluationError E709 if the file cannot be deleted */
  async delete(conversation: string): Promise<void> {
    await this.#logOf(conversation).delete();
    this.#logs.delete(conversation);
  }

  /** Returns the path of the file of a conversation: any id has one of its own, in the folder itself. */
  pathOf(conversation: string): string {
    return join(this.folder, logFileName(conversation));
  }

  #logOf(conversation: string): ConversationLog {
    if (typeof (conversation as unknown) !== 'string' || conversation === '') {
      throw logFault(`expected the id of a conversation, got ${describeValue(conversation)}`, {
        place: 'FileRuns',
        remedy: 'Give each conversation a text as its id, at least one character long.',
      });
    }
    const log =
      this.#logs.get(conversation) ??
      new ConversationLog(this.pathOf(conversation), conversation, { cipher: this.#cipher, writer: writer() });
    // The one that was used last is the last one. To forget one that is in use is harmless: see ConversationLog.
    this.#logs.delete(conversation);
    this.#logs.set(conversation, log);
    for (const oldest of this.#logs.keys()) {
      if (this.#logs.size <= REMEMBERED) break;
      this.#logs.delete(oldest);
    }
    return log;
  }

  /** The id that a file of a hashed name holds; undefined if its writer ended before it was written. */
  async #idIn(name: string): Promise<string | undefined> {
    const path = join(this.folder, name);
    return guarded(path, 'read', async () => {
      const id = await headOf(path);
      return id !== undefined && logFileName(id) === name ? id : undefined;
    });
  }
}

function writer(): string {
  return `process ${String(host.pid)} of ${hostname()}`;
}

function none(error: unknown): readonly string[] {
  if (isAbsent(error)) return [];
  throw error;
}
