import type { LogPosition, SessionDelta, SharedChange } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import { isKeyViolation, requireId } from 'toolwright/internal';
import { createVersionError, formatSessionPlace, requireSteps } from './appendErrors.js';
import { computeChecksum, escapeText, toTenantKey } from './columnTexts.js';
import { formatChangePlace } from './formatPlaces.js';
import { PAGE_ROWS, type SqlSource } from './SqlDatabase.js';
import { createStoreError } from './createStoreError.js';

/** Stands for the writer of a change that no conversation made. Ids of conversations are not empty. */
const NO_WRITER = '';

/** A position with changes of a shared session. */
export type SharedPosition = LogPosition & { readonly session: NonNullable<LogPosition['session']> };

/** The row of a change. */
interface ChangeRow {
  readonly version: number;
  /** The writer of the change. Two writers of equal changes must not mistake the other's change for their own. */
  readonly conversation: string;
  /** The epoch, a bigint, which some databases return as a text. */
  readonly epoch: unknown;
  readonly sum: string;
  readonly delta: string;
}

/** Checks for a position with changes. An empty list counts as none. */
export function hasChanges(position: LogPosition): position is SharedPosition {
  return (position.session?.changes.length ?? 0) > 0;
}

/** Reads and writes the sessions that conversations of one tenant share. */
export class SharedSessions {
  readonly #source: SqlSource;
  readonly #tenant: string | null;

  constructor(source: SqlSource, tenant: string | null) {
    this.#source = source;
    this.#tenant = tenant;
  }

  /** Reads the changes of a session. @throws PromptEvaluationError E709 if the database fails, or a change is missing or damaged */
  async read(name: string, after: number): Promise<readonly SharedChange[]> {
    const changes: SharedChange[] = [];
    for (;;) {
      const rows = await this.#readRows(name, changes.at(-1)?.version ?? after, PAGE_ROWS);
      for (const row of rows) {
        const version = (changes.at(-1)?.version ?? after) + 1;
        // Only a session that was cleared has no changes before its first one.
        const found = changes.length === 0 && row.conversation === NO_WRITER ? row.version : version;
        const delta = parseDelta(await this.#open(row, name, found), name, found);
        if (found !== version && delta.cleared !== true) throw createMissingChangeError(name, version);
        changes.push({ version: found, delta });
      }
      if (rows.length < PAGE_ROWS) return changes;
    }
  }

  /** Empties a session, and leaves a change that says so. @throws PromptEvaluationError E709 if the database fails */
  async clear(name: string): Promise<void> {
    for (;;) {
      const last = await this.#readVersion(name);
      if (last === 0) return;
      const place = formatChangePlace(this.#tenant, name, last + 1);
      const delta = await this.#source.cipher.seal(JSON.stringify({ cleared: true }), place);
      const sum = checksumOf(place, { conversation: NO_WRITER, epoch: 0, delta });
      try {
        const values = [toTenantKey(this.#tenant), escapeText(name), last + 1, delta, sum];
        if ((await this.#source.sql.run('clearSession', values)).length > 0) return;
      } catch (error) {
        // A conversation wrote the same version at the same time.
        if (!isKeyViolation(error)) throw error;
      }
    }
  }

  /** Deletes a session. @throws PromptEvaluationError E709 if the database fails */
  async delete(name: string): Promise<void> {
    await this.#source.sql.run('deleteSession', [toTenantKey(this.#tenant), escapeText(name)]);
  }

  /**
   * Writes the values of the statement `appendShared` that follow the values of `appendMarked`.
   *
   * @throws PromptEvaluationError E709 for a session without a name, and for a change that JSON cannot express; E755 for missing versions
   */
  async write({ conversation, epoch, session: { name, changes } }: SharedPosition): Promise<readonly unknown[]> {
    requireId(`${this.#source.name}.append`, 'session', name);
    requireSteps(conversation, name, changes);
    const written = await Promise.all(
      changes.map(async ({ version, delta }) => {
        const place = formatChangePlace(this.#tenant, name, version);
        const text = await this.#source.cipher.seal(writeDelta(delta, name), place);
        return { text, sum: checksumOf(place, { conversation: escapeText(conversation), epoch, delta: text }) };
      }),
    );
    return [escapeText(name), changes[0]?.version, written.map(({ text }) => text), written.map(({ sum }) => sum)];
  }

  /** Checks whether the session has exactly these changes of this writer. @throws PromptEvaluationError E709 */
  async holds({ conversation, epoch, session: { name, changes } }: SharedPosition): Promise<boolean> {
    const before = (changes[0]?.version ?? 1) - 1;
    const rows = await this.#readRows(name, before, changes.length);
    for (const [index, { version, delta }] of changes.entries()) {
      const row = rows[index];
      if (row?.conversation !== escapeText(conversation) || Number(row.epoch) !== epoch) return false;
      if ((await this.#open(row, name, version)) !== writeDelta(delta, name)) return false;
    }
    return true;
  }

  /** Creates the error for an append with changes that do not continue the session. */
  async refusal({ conversation, session }: SharedPosition): Promise<Error> {
    return createVersionError(conversation, session, await this.#readVersion(session.name));
  }

  async #readVersion(name: string): Promise<number> {
    const values = [toTenantKey(this.#tenant), escapeText(name)];
    const [row] = await this.#source.sql.run<{ readonly version: number }>('sessionVersion', values);
    return row?.version ?? 0;
  }

  #readRows(name: string, after: number, limit: number): Promise<readonly ChangeRow[]> {
    const values = [toTenantKey(this.#tenant), escapeText(name), after, limit];
    return this.#source.sql.run<ChangeRow>('sessionChanges', values);
  }

  /** Reads the JSON of a change. @param expected the version that the row must have */
  async #open(row: ChangeRow, name: string, expected: number): Promise<string> {
    if (row.version !== expected) throw createMissingChangeError(name, expected);
    const place = formatChangePlace(this.#tenant, name, expected);
    if (row.sum !== checksumOf(place, row))
      throw createDamagedChangeError(name, expected, 'its text does not match its checksum');
    return this.#source.cipher.open(row.delta, place);
  }
}

function checksumOf(place: string, { conversation, epoch, delta }: Omit<ChangeRow, 'version' | 'sum'>): string {
  return computeChecksum(place, conversation, String(epoch), delta);
}

function writeDelta(delta: SessionDelta, name: string): string {
  try {
    return JSON.stringify(delta);
  } catch (cause) {
    const remedy = 'Keep plain data in the session.';
    throw createStoreError(`a change is not JSON: ${messageOf(cause)}`, {
      place: formatSessionPlace(name),
      remedy,
      cause,
    });
  }
}

function parseDelta(text: string, name: string, version: number): SessionDelta {
  try {
    return JSON.parse(text) as SessionDelta;
  } catch (cause) {
    throw createDamagedChangeError(name, version, messageOf(cause));
  }
}

function createMissingChangeError(name: string, version: number): Error {
  return createDamagedChangeError(name, version, 'it is missing, but later ones exist');
}

function createDamagedChangeError(name: string, version: number, problem: string): Error {
  return createStoreError(`the shared session is damaged at change ${String(version)}: ${problem}`, {
    place: formatSessionPlace(name),
    remedy: 'Restore the database from a copy, or delete the session; nothing after this change can be trusted.',
  });
}
