import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { host } from '../common/builtins.js';
import { describeValue } from '../common/text.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import type { DurableStore } from '../interface/RunRecords.js';
import type { LogEntry, LogPosition, OpenLog, QuestionReply } from '../interface/RunStore.js';
import { foldEntries } from './conversation/foldEntries.js';
import { ConversationLog } from './log/ConversationLog.js';
import { FileRecords } from './log/FileRecords.js';
import { FolderOwner } from './log/FolderOwner.js';
import { guarded, isAbsent, logFault } from './log/logFault.js';
import { conversationOf, logFileName } from './log/logFileName.js';
import { LogCipher, type CipherOptions } from './log/LogCipher.js';
import { headOf } from './log/headOf.js';
import { isOlder } from './log/logFiles.js';

const optionNames: OptionNames<FileRunsOptions> = { encrypt: 1, decrypt: 1, exclusive: 1 };
const pruneNames: OptionNames<FilePruneOptions> = { only: 1 };

/** Options of `FileRuns`. */
export interface FileRunsOptions extends CipherOptions {
  /**
   * True if one store alone is to write to the folder: the last one that opened a conversation there for the first time. All
   * others that are exclusive are refused from then on, with E709; replies and readers are not. False by default.
   */
  readonly exclusive?: boolean | undefined;
}

/** Options of `FileRuns.prune`. */
export interface FilePruneOptions {
  /** `ended`: conversations whose run has not ended are kept, such as one that waits for a reply. All are deleted by default. */
  readonly only?: 'ended' | undefined;
}

/** Logs of which a store remembers how far it has read; of others it reads the file from its start. */
const REMEMBERED = 1_000;

/**
 * A store of conversations in a folder: for each an append-only file of JSON Lines, readable for its owner only, on a disk of
 * this machine. It holds arguments and results as they are, secrets included, unless `encrypt` and `decrypt` are given.
 *
 * Any number of processes may share the folder: the order of lines in a file decides whose appends count, so that there are no
 * locks that a process could leave behind. With `exclusive`, the last one alone writes. Network file systems do not keep that order.
 *
 * @example
 * const store = new FileRuns('./runs');
 * const { epoch, entries } = await store.open('c-17');
 * await store.append({ conversation: 'c-17', epoch, after: entries.length }, [entry]);
 */
export class FileRuns implements DurableStore {
  readonly folder: string;
  /** The records of runs, in `runs.log` of the folder and the files that follow it. */
  readonly records: FileRecords;
  readonly #cipher: LogCipher;
  readonly #owner: FolderOwner | undefined;
  readonly #logs = new Map<string, ConversationLog>();

  /**
   * @param folder created by the first `open` if it does not exist
   * @throws PromptEvaluationError E709 for one of `encrypt` and `decrypt` without the other
   */
  constructor(folder: string, options: FileRunsOptions = {}) {
    requireOptionNames('FileRuns', options, optionNames);
    this.folder = folder;
    this.#cipher = new LogCipher(options);
    this.#owner = options.exclusive === true ? new FolderOwner(folder, writer()) : undefined;
    this.records = new FileRecords(folder, this.#cipher, this);
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

  /**
   * Deletes all conversations to which nothing was written since a time, by the times of their files. What is not deleted stays as
   * it is, byte for byte.
   *
   * @returns how many they were
   * @throws PromptEvaluationError E709 if a file cannot be read or deleted
   */
  async prune(before: Date, options: FilePruneOptions = {}): Promise<number> {
    requireOptionNames('FileRuns.prune', options, pruneNames);
    let pruned = 0;
    for (const conversation of await this.list()) {
      const path = this.pathOf(conversation);
      const isDue = (): Promise<boolean> => isOlder(path, before);
      if (!(await guarded(path, 'read', isDue))) continue;
      if (options.only === 'ended' && foldEntries(await this.entries(conversation)).open !== undefined) continue;
      if (await this.#logOf(conversation).delete(isDue)) pruned += 1;
    }
    return pruned;
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
      new ConversationLog(this.pathOf(conversation), conversation, {
        cipher: this.#cipher,
        writer: writer(),
        owner: this.#owner,
      });
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
