import { systemClock } from 'toolwright';
import type { RunEntry, SteeringMessage, WaitingMessage } from 'toolwright/conversations';
import { messageOf, quote } from 'toolwright/internal/light';
import { TimeSlice } from 'toolwright/internal';
import { placeOf } from './appendErrors.js';
import { computeChecksum, escapeText, unescapeText } from './columnTexts.js';
import type { Marks } from './marksOf.js';
import { formatEntryPlace, formatFieldPlace, formatMessagePlace, formatQuestionPlace } from './formatPlaces.js';
import { createStoreError } from './createStoreError.js';
import type { TextCipher } from './TextCipher.js';

/** The number of entries that are written at a time. */
const PIECE_ENTRIES = 100;

/** The row of an entry. */
export interface EntryRow {
  readonly position: number;
  readonly sum: string;
  readonly entry: string;
}

/** The row of a message that waits for a run. */
export interface MessageRow {
  readonly id: string;
  readonly run: string;
  readonly sum: string;
  readonly message: string;
}

/** Converts the entries of a tenant's logs to and from column texts: JSON with checksums, encrypted if the store is. */
export class EntryTexts {
  readonly #cipher: TextCipher;
  readonly #tenant: string | null;

  constructor(cipher: TextCipher, tenant: string | null) {
    this.#cipher = cipher;
    this.#tenant = tenant;
  }

  /** Writes the texts and checksums of entries. @param after the number of entries before them */
  async write(
    conversation: string,
    after: number,
    entries: readonly RunEntry[],
  ): Promise<readonly [texts: readonly string[], sums: readonly string[]]> {
    const written: { readonly text: string; readonly sum: string }[] = [];
    const slice = new TimeSlice();
    // Entries are written in pieces, so that other work can run in between: a copy of a conversation may have any number of entries. A
    // single piece is written without a pause, so that appends reach the database in the order of their calls.
    for (let from = 0; from < entries.length; from += PIECE_ENTRIES) {
      const piece = entries.slice(from, from + PIECE_ENTRIES).map((entry, index) => {
        const place = formatEntryPlace(this.#tenant, conversation, after + from + index);
        return this.#write(writeEntry(entry, conversation), place);
      });
      written.push(...(await Promise.all(piece)));
      if (from + PIECE_ENTRIES < entries.length && slice.isOver) await slice.next();
    }
    return [written.map(({ text }) => text), written.map(({ sum }) => sum)];
  }

  /** Writes the values of the statement `appendMarked` that follow the entries. */
  async writeMarks(conversation: string, { ended, asked, closed, heard }: Marks): Promise<readonly unknown[]> {
    const questions = await Promise.all(
      asked.map((question) =>
        this.#write(JSON.stringify(question), formatQuestionPlace(this.#tenant, conversation, question.id)),
      ),
    );
    const problems = await Promise.all(
      ended.map(({ run, problem }) => sealProblem(this.#cipher, this.#tenant, run, problem ?? null)),
    );
    return [
      ended.map(({ run }) => escapeText(run)),
      ended.map(({ how }) => (how === 'abandoned' ? 'cancelled' : how)),
      problems,
      asked.map(({ id }) => id),
      questions.map(({ text }) => text),
      closed,
      systemClock.now(),
      questions.map(({ sum }) => sum),
      heard.map(escapeText),
    ];
  }

  /**
   * Reads the JSON of an entry.
   *
   * @param expected the position that the row must have
   * @throws PromptEvaluationError E709 for a damaged or missing row
   */
  async read({ position, sum, entry }: EntryRow, conversation: string, expected: number): Promise<string> {
    if (position !== expected)
      throw createDamagedEntryError(conversation, expected, 'it is missing, but later ones exist');
    const place = formatEntryPlace(this.#tenant, conversation, position);
    // Rows written before version 3 have no checksum.
    if (sum !== '' && sum !== computeChecksum(place, entry))
      throw createDamagedEntryError(conversation, position, 'its text does not match its checksum');
    return this.#cipher.open(entry, place);
  }

  /** Writes the text and the checksum of a message that waits for a run. */
  async writeMessage(conversation: string, run: string, { id, message }: SteeringMessage): Promise<readonly string[]> {
    const place = formatMessagePlace(this.#tenant, conversation, id);
    const { text } = await this.#write(JSON.stringify(message), place);
    return [text, computeChecksum(place, escapeText(run), text)];
  }

  /** Reads a message that waits for a run. @throws PromptEvaluationError E709 for a damaged row */
  async readMessage(conversation: string, row: MessageRow): Promise<WaitingMessage> {
    const [id, run] = [unescapeText(row.id), unescapeText(row.run)];
    const place = formatMessagePlace(this.#tenant, conversation, id);
    if (row.sum !== computeChecksum(place, row.run, row.message)) throw createDamagedMessageError(conversation, id);
    return { id, run, message: JSON.parse(await this.#cipher.open(row.message, place)) as WaitingMessage['message'] };
  }

  async #write(plain: string, place: string): Promise<{ readonly text: string; readonly sum: string }> {
    const text = await this.#cipher.seal(plain, place);
    return { text, sum: computeChecksum(place, text) };
  }
}

/** Writes the text of a problem for the column of its run. */
export async function sealProblem(
  cipher: TextCipher,
  tenant: string | null,
  run: string,
  problem: string | null,
): Promise<string | null> {
  return problem === null ? null : cipher.seal(escapeText(problem), formatFieldPlace(tenant, run, 'problem'));
}

/** Writes an entry as JSON. @throws PromptEvaluationError E709 for an entry that JSON cannot express */
export function writeEntry(entry: RunEntry, conversation: string): string {
  try {
    return JSON.stringify(entry);
  } catch (cause) {
    const remedy = 'Append plain data; describe results that JSON cannot hold.';
    throw createStoreError(`an entry is not JSON: ${messageOf(cause)}`, {
      place: placeOf(conversation),
      remedy,
      cause,
    });
  }
}

/** Parses an entry. @throws PromptEvaluationError E709 for a text that is not JSON */
export function parseEntry(text: string, conversation: string, position: number): RunEntry {
  try {
    return JSON.parse(text) as RunEntry;
  } catch (cause) {
    throw createDamagedEntryError(conversation, position, messageOf(cause));
  }
}

/** Creates the error for a log with another number of entries than its row says. */
export function createDamagedCountError(conversation: string, count: unknown, found: number): Error {
  const remedy = 'Restore the database from a copy, or cancel its run and delete the conversation.';
  const problem = `the log is damaged: its row counts ${String(count)} entries, and it has ${String(found)}`;
  return createStoreError(problem, { place: placeOf(conversation), remedy });
}

function createDamagedMessageError(conversation: string, id: string): Error {
  return createStoreError(`the message ${quote(id)} is damaged: its text does not match its checksum`, {
    place: placeOf(conversation),
    remedy: 'Restore the database from a copy, or cancel its run and delete the conversation.',
  });
}

function createDamagedEntryError(conversation: string, position: number, problem: string): Error {
  return createStoreError(`the log is damaged at entry ${String(position)}: ${problem}`, {
    place: placeOf(conversation),
    remedy:
      'Restore the database from a copy, or cancel its run and delete the conversation; nothing after this entry can be trusted.',
  });
}
