import type { AppendTransaction, RunEntry, LogPosition } from 'toolwright/conversations';
import { isKeyViolation } from 'toolwright/internal';
import {
  createAppendError,
  createNoLogError,
  createNotCommittedError,
  createOtherEntriesError,
} from './appendErrors.js';
import { writeEntry } from './EntryTexts.js';
import type { LogRow, LogRows } from './LogRows.js';
import { marksOf, NO_MARKS } from './marksOf.js';
import { hasChanges, type SharedSessions } from './SharedSessions.js';
import type { StatementName } from './sharedStatements.js';

/** The statement of an append. */
interface AppendStatement {
  readonly name: StatementName;
  readonly values: readonly unknown[];
}

/** The state of the log at the place of an append: the same entries, none, other entries, or none because messages wait for its run. */
type Found = 'same' | 'none' | 'others' | 'steered';

/** Kinds of entries that are written before a request to the model. */
const BEGINNING: ReadonlySet<RunEntry['kind']> = new Set(['conversation', 'model', 'run']);

/**
 * Checks for the beginning of a run. Nothing was answered, called or shown yet, and the append of the model's answer
 * syncs it, too.
 */
function isBeginning(entries: readonly RunEntry[]): boolean {
  return entries.at(-1)?.kind === 'run' && entries.every(({ kind }) => BEGINNING.has(kind));
}

/** Appends entries to the logs of one tenant, with the changes of a shared session or in the transaction of a resource. */
export class LogWriter {
  readonly #rows: LogRows;
  readonly #sessions: SharedSessions;

  /** The preparation of each conversation's last append. An append must not overtake an earlier one on its way to the database. */
  readonly #preparing = new Map<string, Promise<unknown>>();

  constructor(rows: LogRows, sessions: SharedSessions) {
    this.#rows = rows;
    this.#sessions = sessions;
  }

  /** Appends entries. @throws PromptEvaluationError E709, E755 */
  async append(position: LogPosition, entries: readonly RunEntry[], within?: AppendTransaction): Promise<void> {
    const statement = await this.#prepare(position, entries);
    if (within !== undefined) {
      await this.#appendWithin(within, position, entries, statement);
      return;
    }
    try {
      const options = { defersSync: !hasChanges(position) && isBeginning(entries) };
      const [log] = await this.#rows.run<LogRow>(statement.name, position.conversation, statement.values, options);
      if (log !== undefined) {
        noteWaiting(position, log);
        return;
      }
    } catch (error) {
      // If two transactions write the same change at once, the database refuses one of them.
      if (!isKeyViolation(error)) throw error;
    }
    // If only the acknowledgement of an earlier attempt was lost, the log has the same entries.
    const problem = await this.#findProblem('state', position, entries);
    if (problem !== undefined) throw problem;
  }

  /** Writes the texts of an append after the texts of earlier appends, of which the encryption may take longer. */
  async #prepare(position: LogPosition, entries: readonly RunEntry[]): Promise<AppendStatement> {
    const { conversation } = position;
    const statement = this.#write(position, entries);
    const before = this.#preparing.get(conversation);
    const ready = before === undefined ? statement : Promise.all([statement, before]).then(([written]) => written);
    const settled = ready.catch(() => undefined);
    this.#preparing.set(conversation, settled);
    try {
      return await ready;
    } finally {
      if (this.#preparing.get(conversation) === settled) this.#preparing.delete(conversation);
    }
  }

  async #write(position: LogPosition, entries: readonly RunEntry[]): Promise<AppendStatement> {
    const { conversation, epoch, after } = position;
    const values: unknown[] = [epoch, after, ...(await this.#rows.texts.write(conversation, after, entries))];
    const marks = marksOf(entries);
    if (marks === undefined && !hasChanges(position)) return { name: 'append', values };
    values.push(
      ...(await this.#rows.texts.writeMarks(conversation, marks ?? NO_MARKS)),
      position.unlessSteered === true,
    );
    if (!hasChanges(position)) return { name: 'appendMarked', values };
    return { name: 'appendShared', values: [...values, ...(await this.#sessions.write(position))] };
  }

  /** Appends and commits in the transaction of a resource, so that both writes succeed or fail together. */
  async #appendWithin(
    within: AppendTransaction,
    position: LogPosition,
    entries: readonly RunEntry[],
    { name, values }: AppendStatement,
  ): Promise<void> {
    let cause: unknown;
    try {
      const [log] = await this.#rows.runWithin<LogRow>(within.client, name, position.conversation, values);
      if (log !== undefined) {
        await within.commit();
        noteWaiting(position, log);
        return;
      }
    } catch (error) {
      cause = error;
    }
    await within.rollback();
    // Without an acknowledgement, the database may still be committing. The lock waits for it.
    const problem = await this.#findProblem('lockedState', position, entries);
    if (problem === undefined) return;
    throw cause === undefined || isKeyViolation(cause)
      ? problem
      : createNotCommittedError(position.conversation, cause);
  }

  /**
   * Returns the error of an append that was not written; undefined if its entries are in the log, or messages wait that it must not
   * overtake.
   *
   * @throws PromptEvaluationError E709 if the log does not exist, its epoch has changed, or entries before the place are missing
   */
  async #findProblem(
    statement: 'state' | 'lockedState',
    position: LogPosition,
    entries: readonly RunEntry[],
  ): Promise<Error | undefined> {
    const found = await this.#find(statement, position, entries);
    if (found === 'steered') return undefined;
    if (found === 'others') return createOtherEntriesError(position);
    if (hasChanges(position)) {
      const isThere = found === 'same' && (await this.#sessions.holds(position));
      return isThere ? undefined : this.#sessions.refusal(position);
    }
    return found === 'same' ? undefined : createOtherEntriesError(position);
  }

  async #find(statement: 'state' | 'lockedState', position: LogPosition, entries: readonly RunEntry[]): Promise<Found> {
    const [log] = await this.#rows.run<LogRow>(statement, position.conversation, []);
    if (log === undefined) throw createNoLogError(position);
    const refusal = createAppendError(position, entries, { ...log, epoch: Number(log.epoch) });
    if (refusal !== undefined) throw refusal;
    const texts = await this.#rows.readTexts(position.conversation, position.after);
    if (entries.every((entry, index) => writeEntry(entry, position.conversation) === texts[index])) return 'same';
    if (texts.length > 0) return 'others';
    if (position.unlessSteered !== true || log.waiting === 0) return 'none';
    noteWaiting(position, log);
    return 'steered';
  }
}

/** Tells the writer that messages wait for its run. */
function noteWaiting({ onSteered }: LogPosition, { waiting }: Pick<LogRow, 'waiting'>): void {
  if (waiting > 0) onSteered?.();
}
