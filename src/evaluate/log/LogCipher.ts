import type { Awaitable } from '../../common/types.js';
import { describeValue, messageOf } from '../../common/text.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import type { LogEntry } from '../../interface/RunStore.js';
import { logFault } from './logFault.js';
import type { BatchLine, WrittenEntries } from './logLine.js';
import { shortEntry, wholeEntry } from './shortEntry.js';

/** How the entries of a log are kept from others who can read its file. */
export interface CipherOptions {
  /**
   * Encrypts the entries of one append, such as with AES-GCM; the result is any text.
   *
   * @param text the entries as JSON
   * @param place conversation, epoch and position; as additional authenticated data it keeps lines from being moved
   */
  readonly encrypt?: ((text: string, place: string) => Awaitable<string>) | undefined;
  /** Reverses `encrypt`; throws if key or place is wrong. */
  readonly decrypt?: ((sealed: string, place: string) => Awaitable<string>) | undefined;
}

/** Writes and reads the entries of a line, encrypted or not. */
export class LogCipher {
  readonly #encrypt: CipherOptions['encrypt'];
  readonly #decrypt: CipherOptions['decrypt'];

  /** @throws PromptEvaluationError E709 if one is given without the other */
  constructor({ encrypt, decrypt }: CipherOptions) {
    if ((encrypt === undefined) !== (decrypt === undefined)) {
      throw logFault('encrypt and decrypt were not both given', {
        place: 'FileRuns',
        remedy: 'Give both, or neither: what cannot be read back must not be written.',
      });
    }
    this.#encrypt = encrypt;
    this.#decrypt = decrypt;
  }

  /** @throws PromptEvaluationError E709 for what is no JSON, or cannot be encrypted */
  async close(entries: readonly LogEntry[], place: string): Promise<WrittenEntries> {
    const json = jsonOf(entries, place);
    if (this.#encrypt === undefined) return { json, sealed: undefined };
    try {
      return { json, sealed: asText(await this.#encrypt(json, place), place) };
    } catch (cause) {
      if (ToolwrightError.is(cause)) throw cause;
      const remedy = 'Mend encrypt, and append again: nothing was written.';
      throw logFault(`the entries could not be encrypted: ${messageOf(cause)}`, { place, remedy, cause });
    }
  }

  /** @throws PromptEvaluationError E709 for a wrong key, and for a line that is encrypted though it should not be, or not so */
  async open(batch: BatchLine, conversation: string, place: string): Promise<readonly LogEntry[]> {
    const { sealed, entries = [] } = batch;
    const read = (stored: readonly unknown[]): readonly LogEntry[] => stored.map((one) => knownEntry(one, place));
    if (this.#decrypt === undefined) {
      if (sealed === undefined) return read(entries);
      const remedy = 'Give FileRuns the functions encrypt and decrypt that the log was written with.';
      throw logFault('the log is encrypted, and the store has no decrypt', { place, remedy });
    }
    if (sealed === undefined) {
      const remedy = 'Read it with a store that has no decrypt: a line that anyone could have written is not believed.';
      throw logFault('the line is not encrypted, and the store has a decrypt', { place, remedy });
    }
    try {
      const text = asText(await this.#decrypt(sealed, placeOf(conversation, batch)), place);
      return read(JSON.parse(text) as readonly unknown[]);
    } catch (cause) {
      if (ToolwrightError.is(cause)) throw cause;
      const remedy = 'Give FileRuns the key that the log was written with.';
      throw logFault(`the line could not be decrypted: ${messageOf(cause)}`, { place, remedy, cause });
    }
  }
}

/** The place of a batch, for `encrypt`. */
export function placeOf(conversation: string, { epoch, after }: Pick<BatchLine, 'epoch' | 'after'>): string {
  return `${conversation}/${String(epoch)}/${String(after)}`;
}

function jsonOf(entries: readonly LogEntry[], place: string): string {
  try {
    return JSON.stringify(entries.map(shortEntry));
  } catch (cause) {
    const remedy = 'Append plain data; results that JSON cannot hold have to be described in it.';
    throw logFault(`the entries are no JSON: ${messageOf(cause)}`, { place, remedy, cause });
  }
}

function knownEntry(stored: unknown, place: string): LogEntry {
  const entry = wholeEntry(stored);
  if (entry !== undefined) return entry;
  const remedy = 'Open it with a copy of Toolwright that is at least as new as the one that wrote it.';
  throw logFault('the line has an entry in a form that this copy does not know', { place, remedy });
}

/** The result of a function of the host, which may come from code without types. */
function asText(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw logFault(`expected a text of encrypt and decrypt, got ${describeValue(value)}`, {
    place,
    remedy: 'Return a text, such as base64.',
  });
}
