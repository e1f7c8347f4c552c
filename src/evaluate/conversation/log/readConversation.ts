import { describeMisfit } from '../../../common/dataForm.js';
import { describeValue } from '../../../common/text.js';
import { TimeSlice } from '../../../common/TimeSlice.js';
import { isObject } from '../../../common/guards.js';
import { MAX_CONVERSATION_ENTRIES } from '../../../common/limits.js';
import { createEvaluationError, type PromptEvaluationError } from '../../../error/PromptError.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import type { OpenLog, RunStore } from '../../../interface/RunStore.js';
import { findDigestProblem } from '../prefix/digestContent.js';
import { findEntryExcess } from './findEntryExcess.js';
import { entryForms, entryKindForm } from './entryForms.js';
import { upgradeEntry, versionProblem } from './entryFormat.js';
import { EntrySequence } from './EntrySequence.js';
import { LogFold } from './foldEntries.js';

/** A conversation as plain data. */
export interface ConversationJson {
  readonly format: 'toolwright/conversation';
  /** Version of the format; raised when older copies could not read it. */
  readonly version: 1;
  readonly id: string;
  readonly entries: readonly RunEntry[];
}

/** How much JSON of a conversation is read. */
export interface ConversationJsonBounds {
  /** The most entries; 100,000 when left out. */
  readonly maxEntries?: number | undefined;
}

/** The checked entries of a conversation, and the state that follows from them. */
export interface ReadEntries {
  readonly entries: readonly RunEntry[];
  readonly fold: LogFold;
}

/**
 * Reads a conversation from plain data that may come from anywhere, in a time that grows with its size alone.
 *
 * @throws PromptEvaluationError E709 with the place
 */
export function readConversation(
  json: unknown,
  maxEntries = MAX_CONVERSATION_ENTRIES,
): ReadEntries & { readonly id: string } {
  const { format, version, id, entries } = (json ?? {}) as Readonly<Record<keyof ConversationJson, unknown>>;
  if (format !== 'toolwright/conversation')
    throw createConversationError('format', `expected "toolwright/conversation", got ${describeValue(format)}`);
  if (version !== 1) throw createConversationError('version', `1 is known, got ${describeValue(version)}`);
  if (typeof id !== 'string' || id === '')
    throw createConversationError('id', `expected a text, got ${describeValue(id)}`);
  const { length } = requireList(entries);
  if (length > maxEntries)
    throw createConversationError(
      'entries',
      `expected at most ${String(maxEntries)} (maxEntries), got ${String(length)}`,
    );
  const reader = new EntryReader(id);
  for (const entry of requireList(entries)) reader.add(entry);
  return { id, ...reader.read() };
}

/**
 * Opens a log for writing. Everything that is there is read and checked first, in pieces between which other work gets its turn:
 * opening raises the epoch, and a log that this process cannot go on with must not shut out the writer that can.
 *
 * @throws PromptEvaluationError E709 with the place
 */
export async function openLog(
  store: RunStore,
  id: string,
): Promise<ReadEntries & Pick<OpenLog, 'epoch' | 'isSteered'>> {
  const reader = new EntryReader(id);
  await readEntries(reader, await store.entries(id));
  const opened: unknown = await store.open(id);
  const { epoch, entries, isSteered } = (opened ?? {}) as Readonly<Record<keyof OpenLog, unknown>>;
  if (typeof epoch !== 'number')
    throw createConversationError('epoch', `expected a number, got ${describeValue(epoch)}`);
  const { length } = requireList(entries);
  // Nothing goes from a log, unless it was deleted and begun again.
  const added = length < reader.count ? new EntryReader(id) : reader;
  await readEntries(added, requireList(entries).slice(added.count));
  return { epoch, isSteered: isSteered === true, ...added.read() };
}

/** Reads and checks a log without becoming its writer. @throws PromptEvaluationError E709 with the place */
export async function readLog(store: RunStore, id: string): Promise<ReadEntries> {
  const reader = new EntryReader(id);
  await readEntries(reader, await store.entries(id));
  return reader.read();
}

async function readEntries(reader: EntryReader, entries: unknown): Promise<void> {
  const slice = new TimeSlice();
  for (const entry of requireList(entries)) {
    for (const _step of reader.addInSteps(entry)) if (slice.isOver) await slice.next();
  }
}

function requireList(entries: unknown): readonly unknown[] {
  if (Array.isArray(entries)) return entries;
  throw createConversationError('entries', `expected a list, got ${describeValue(entries)}`);
}

/** Checks the entries of a log one after the other, and that none is missing between them. */
class EntryReader {
  readonly #id: string;
  readonly #sequence = new EntrySequence();
  readonly #fold = new LogFold();
  readonly #entries: RunEntry[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  get count(): number {
    return this.#entries.length;
  }

  /** @throws PromptEvaluationError E709 with the place */
  add(given: unknown): void {
    for (const _step of this.addInSteps(given));
  }

  /**
   * Adds an entry in steps between which its caller may pause: one answer may hold more calls than fit into a slice of time.
   *
   * @throws PromptEvaluationError E709 with the place
   */
  *addInSteps(given: unknown): Generator<undefined, void> {
    const index = this.#entries.length;
    const place = `entries[${String(index)}]`;
    const known = requireKnownSize(upgradeEntry(given), place);
    yield;
    const entry = checkFields(known, place);
    const changed = findDigestProblem(entry);
    if (changed !== undefined) throw createConversationError(`${place}.digest`, changed);
    yield;
    const isHead = entry.kind === 'conversation';
    if ((index === 0) !== isHead)
      throw createConversationError(
        place,
        index === 0 ? 'a log begins with an entry "conversation"' : 'a log holds one conversation',
      );
    if (isHead && entry.id !== this.#id)
      throw createConversationError(`${place}.id`, `it is the log of ${describeValue(entry.id)}, not of ${this.#id}`);
    if ((isHead || entry.kind === 'segment') && entry.offered.length === 0 && entry.closed.length > 0)
      throw createConversationError(
        `${place}.offered`,
        'tools of closed sections come with one that opens them, and there is none',
      );
    const problem = this.#sequence.next(entry);
    if (problem !== undefined) throw createConversationError(place, problem);
    this.#entries.push(entry);
    this.#fold.add(entry);
    yield;
  }

  read(): ReadEntries {
    return { entries: this.#entries, fold: this.#fold };
  }
}

/** Returns an entry of a version that is known, and not larger than an entry may be. */
function requireKnownSize(entry: unknown, place: string): object {
  if (!isObject(entry)) throw createConversationError(place, `expected an object, got ${describeValue(entry)}`);
  // A newer format may have kinds and fields that are not known here.
  const unknown = versionProblem((entry as RunEntry).version);
  if (unknown !== undefined) throw createConversationError(`${place}.version`, unknown);
  const excess = findEntryExcess(entry);
  if (excess !== undefined) throw createConversationError(place, excess);
  return entry;
}

function checkFields(entry: object, place: string): RunEntry {
  const { kind } = entry as RunEntry;
  const misfitting = entryKindForm(kind);
  if (misfitting !== undefined) throw createConversationError(`${place}.kind`, describeMisfit(misfitting));
  const found = entryForms[kind](entry);
  if (found !== undefined) throw createConversationError(`${place}.${found.path}`, describeMisfit(found));
  return entry as RunEntry;
}

function createConversationError(place: string, problem: string): PromptEvaluationError {
  return createEvaluationError(`the conversation cannot go on: ${problem}`, {
    code: 'E709',
    place,
  });
}
