import { hostname } from 'node:os';
import { host } from '../../common/builtins.js';
import { describeValue, messageOf } from '../../common/text.js';
import { requireOptionNames, type OptionNames } from '../../error/optionNames.js';
import { foldEntries } from '../../evaluate/conversation/foldEntries.js';
import { replyTo } from '../../evaluate/questions.js';
import type { DurableStore, RunRecord, WithinChange } from '../../interface/RunRecords.js';
import type { LogEntry, LogPosition, OpenLog, QuestionReply } from '../../interface/RunStore.js';
import { systemClock } from '../../limit/SystemClock.js';
import { appendRefused, noLog, noQuestion, otherEntries, placeOf } from './appendRefused.js';
import { firstEpoch } from './firstEpoch.js';
import { marksOf, type Marks } from './marksOf.js';
import { entryPlace, questionPlace } from './places.js';
import type { RunOptions, SqlDatabase } from './SqlDatabase.js';
import { SqlRecords } from './SqlRecords.js';
import type { StatementName } from './statements.js';
import { storeFault } from './storeFault.js';
import type { TextCipher } from './TextCipher.js';
import { plainText, textIn } from './texts.js';

/** The most entries that are read at a time, so that a long log never holds the process. */
const PAGE = 1_000;

/** Options of `prune`. */
export interface PruneOptions {
  /** `ended` keeps conversations whose run has not ended, such as one that waits for a reply. All are deleted by default. */
  readonly only?: 'ended' | undefined;
}

const pruneNames: OptionNames<PruneOptions> = { only: 1 };

/** The statement of an append, and its parameters. */
export interface AppendStatement {
  readonly name: 'append' | 'appendMarked';
  readonly values: readonly unknown[];
}

/** A store of conversations and runs in an SQL database. Subclasses connect it to one. */
export abstract class SqlRuns implements DurableStore {
  /** The records of runs. */
  readonly records: SqlRecords;
  readonly #name: string;
  readonly #sql: SqlDatabase;
  readonly #cipher: TextCipher;

  /** @param name the name of the subclass, for messages */
  protected constructor(name: string, sql: SqlDatabase, cipher: TextCipher) {
    this.#name = name;
    this.#sql = sql;
    this.#cipher = cipher;
    this.records = new SqlRecords(sql, cipher, (run, call, reply, within) =>
      this.#answer(run.conversation, call, reply, { run, within }),
    );
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used, or its tables are of a newer version */
  async open(conversation: string): Promise<OpenLog> {
    const writer = `process ${String(host.pid)} of ${hostname()}`;
    const values = [this.#keyOf(conversation), firstEpoch(), writer];
    const [opened] = await this.#run<{ epoch: unknown; count: number }>('open', values);
    const entries = opened?.count === 0 ? [] : await this.entries(conversation);
    return { epoch: Number(opened?.epoch), entries };
  }

  /** @throws PromptEvaluationError E709 if another writer opened the log since, other entries stand there, or it cannot be written */
  async append(position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    const { name, values } = await this.appendStatement(position, entries);
    if ((await this.#run(name, values)).length > 0) return;
    // The acknowledgement of an earlier attempt may have been lost: then the same entries are there.
    const log = await this.#run<LogRow>('state', [this.#keyOf(position.conversation)]);
    if (!(await this.holds(log[0], position, entries))) throw otherEntries(position);
  }

  /**
   * Answers a question of a conversation; `runs.reply` is for those of runs.
   *
   * @throws PromptEvaluationError E709 if there never was such a question, or the database cannot be used; E735
   */
  reply(conversation: string, call: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#answer(conversation, call, reply);
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used, or an entry is missing or damaged */
  async entries(conversation: string, after = 0): Promise<readonly LogEntry[]> {
    const texts = await this.#readTexts(conversation, after);
    return texts.map((text, index) => parseEntry(text, conversation, after + index));
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used */
  async list(): Promise<readonly string[]> {
    const rows = await this.#run<{ conversation: string }>('conversations', []);
    return rows.map(({ conversation }) => textIn(conversation));
  }

  /** @throws PromptEvaluationError E709 if the database cannot be used */
  async delete(conversation: string): Promise<void> {
    await this.#run('delete', [this.#keyOf(conversation)]);
  }

  /**
   * Deletes the conversations to which nothing was written since a time.
   *
   * @returns how many were deleted
   * @throws PromptEvaluationError E709 if the database cannot be used
   */
  async prune(before: Date, options: PruneOptions = {}): Promise<number> {
    requireOptionNames(`${this.#name}.prune`, options, pruneNames);
    const due: string[] = [];
    for (const { conversation: key } of await this.#run<{ conversation: string }>('writtenBefore', [before])) {
      const hasOpenRun = async (): Promise<boolean> => foldEntries(await this.entries(textIn(key))).open !== undefined;
      if (options.only !== 'ended' || !(await hasOpenRun())) due.push(key);
    }
    return (await this.#run('deleteWrittenBefore', [before, due])).length;
  }

  /** Returns the statement that appends entries. */
  protected async appendStatement(position: LogPosition, entries: readonly LogEntry[]): Promise<AppendStatement> {
    const { conversation, epoch, after } = position;
    const texts = await this.#sealEntries(conversation, after, entries);
    const values = [this.#keyOf(conversation), epoch, after, texts];
    const marks = marksOf(entries);
    if (marks === undefined) return { name: 'append', values };
    return { name: 'appendMarked', values: [...values, ...(await this.#markValues(conversation, marks))] };
  }

  /**
   * True if the log has exactly these entries at their place.
   *
   * @throws PromptEvaluationError E709 if there is no log, its epoch has changed, or entries before the place are missing
   */
  protected async holds(
    log: LogRow | undefined,
    position: LogPosition,
    entries: readonly LogEntry[],
  ): Promise<boolean> {
    if (log === undefined) throw noLog(position);
    const refusal = appendRefused(position, entries, { ...log, epoch: Number(log.epoch) });
    if (refusal !== undefined) throw refusal;
    const texts = await this.#readTexts(position.conversation, position.after);
    return entries.every((entry, index) => writeEntry(entry, position.conversation) === texts[index]);
  }

  async #answer(
    conversation: string,
    call: string,
    reply: QuestionReply,
    { run, within }: { readonly run?: RunRecord; readonly within?: WithinChange | undefined } = {},
  ): Promise<'taken' | 'late'> {
    const key = this.#keyOf(conversation);
    for (;;) {
      const [log] = await this.#run<LogRow>('state', [key]);
      if (log === undefined) throw noQuestion(conversation, call);
      const entries = await this.entries(conversation);
      if (entries.length !== log.count) continue;
      const about = replyTo(entries, conversation, call, reply);
      if (about === 'none') throw noQuestion(conversation, call);
      if (about === 'late') return 'late';
      const texts = await this.#sealEntries(conversation, log.count, [{ kind: 'reply', call, reply }]);
      const id = run === undefined ? null : plainText(run.id);
      const values = [key, log.epoch, log.count, texts, call, id, systemClock.now()];
      // Not repeated: after a lost acknowledgement, the second attempt would come too late.
      if ((await this.#run('reply', values, { repeats: false, within })).length > 0) return 'taken';
    }
  }

  async #readTexts(conversation: string, after: number): Promise<readonly string[]> {
    const key = this.#keyOf(conversation);
    const texts: string[] = [];
    for (;;) {
      const rows = await this.#run<EntryRow>('entries', [key, after + texts.length, PAGE]);
      for (const { position, entry } of rows) {
        const expected = after + texts.length;
        if (position !== expected)
          throw damagedEntry(conversation, expected, 'it is missing, and later ones are there');
        texts.push(await this.#cipher.open(entry, entryPlace(conversation, position)));
      }
      if (rows.length < PAGE) return texts;
    }
  }

  #sealEntries(conversation: string, after: number, entries: readonly LogEntry[]): Promise<readonly string[]> {
    const seal = (entry: LogEntry, index: number): Promise<string> =>
      this.#cipher.seal(writeEntry(entry, conversation), entryPlace(conversation, after + index));
    return Promise.all(entries.map(seal));
  }

  async #markValues(conversation: string, { ended, asked, closed }: Marks): Promise<readonly unknown[]> {
    const problems = ended.map(({ run, problem }) => this.records.sealProblem(run, problem ?? null));
    const questions = asked.map((question) =>
      this.#cipher.seal(JSON.stringify(question), questionPlace(conversation, question.call)),
    );
    return [
      ended.map(({ run }) => plainText(run)),
      ended.map(({ how }) => (how === 'abandoned' ? 'cancelled' : how)),
      await Promise.all(problems),
      await Promise.all(questions),
      closed,
      systemClock.now(),
      asked.map(({ call }) => call),
    ];
  }

  #keyOf(conversation: string): string {
    if (typeof (conversation as unknown) === 'string' && conversation !== '') return plainText(conversation);
    throw storeFault(`expected the id of a conversation, got ${describeValue(conversation)}`, {
      place: this.#name,
      remedy: 'Give each conversation a text as its id, at least one character long.',
    });
  }

  #run<Row>(name: StatementName, values: readonly unknown[], options?: RunOptions): Promise<readonly Row[]> {
    return this.#sql.run<Row>(name, values, options);
  }
}

/** The row of a log. */
export interface LogRow {
  /** A bigint, which some databases return as a text. */
  readonly epoch: unknown;
  readonly writer: string;
  readonly count: number;
}

interface EntryRow {
  readonly position: number;
  readonly entry: string;
}

function writeEntry(entry: LogEntry, conversation: string): string {
  try {
    return JSON.stringify(entry);
  } catch (cause) {
    const remedy = 'Append plain data; describe results that JSON cannot hold.';
    throw storeFault(`an entry is not JSON: ${messageOf(cause)}`, { place: placeOf(conversation), remedy, cause });
  }
}

function parseEntry(text: string, conversation: string, position: number): LogEntry {
  try {
    return JSON.parse(text) as LogEntry;
  } catch (cause) {
    throw damagedEntry(conversation, position, messageOf(cause));
  }
}

function damagedEntry(conversation: string, position: number, problem: string): Error {
  return storeFault(`the log is damaged at entry ${String(position)}: ${problem}`, {
    place: placeOf(conversation),
    remedy: 'Restore the database from a copy, or delete the conversation; nothing after this entry can be trusted.',
  });
}
