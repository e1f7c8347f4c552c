import { ToolwrightError } from 'toolwright';
import { describeValue, messageOf } from 'toolwright/internal/light';
import type { Awaitable } from 'toolwright/types';
import { createStoreError } from './createStoreError.js';

/** Functions that encrypt and decrypt the texts of a store. */
export interface CipherOptions {
  /**
   * Encrypts one text, for example with AES-GCM. May return any text.
   *
   * @param place the field, such as `c-17/4` for the fifth entry of a conversation. Pass it as additional authenticated data, so that an
   * encrypted text cannot be moved to another place
   */
  readonly encrypt?: ((text: string, place: string) => Awaitable<string>) | undefined;
  /** Reverses `encrypt`. Throws if the key or the place is wrong. */
  readonly decrypt?: ((sealed: string, place: string) => Awaitable<string>) | undefined;
}

/** The mark of an encrypted text. Neither JSON nor texts of `escapeText` begin with it. */
const SEALED = '\\sealed:';

/** Encrypts texts for storage and decrypts them, if the host has given the functions. */
export class TextCipher {
  readonly #store: string;
  readonly #encrypt: CipherOptions['encrypt'];
  readonly #decrypt: CipherOptions['decrypt'];

  /**
   * @param store the name of the store's class for messages
   * @throws PromptEvaluationError E709 if only one of the two functions is given
   */
  constructor(store: string, { encrypt, decrypt }: CipherOptions = {}) {
    if ((encrypt === undefined) !== (decrypt === undefined)) {
      throw createStoreError('encrypt and decrypt were not both given', {
        place: store,
        remedy: 'Give both, or neither: a text that cannot be decrypted must not be written.',
      });
    }
    this.#store = store;
    this.#encrypt = encrypt;
    this.#decrypt = decrypt;
  }

  /** Encrypts a text for storage. @throws PromptEvaluationError E709 if it cannot be encrypted */
  async seal(text: string, place: string): Promise<string> {
    if (this.#encrypt === undefined) return text;
    try {
      return SEALED + requireText(await this.#encrypt(text, place), place);
    } catch (cause) {
      if (cause instanceof ToolwrightError) throw cause;
      const remedy = 'Correct the function encrypt, and try again: nothing was written.';
      throw createStoreError(`a text could not be encrypted: ${messageOf(cause)}`, { place, remedy, cause });
    }
  }

  /**
   * Decrypts a text of `seal`.
   *
   * @throws PromptEvaluationError E709 for a wrong key, for an encrypted text without `decrypt`, and for a plain text with it
   */
  async open(stored: string, place: string): Promise<string> {
    const isSealed = stored.startsWith(SEALED);
    if (this.#decrypt === undefined) {
      if (!isSealed) return stored;
      const remedy = `Give ${this.#store} the functions encrypt and decrypt with which the text was written.`;
      throw createStoreError('the text is encrypted, but the store has no decrypt', { place, remedy });
    }
    if (!isSealed) {
      const remedy = 'Read it with a store without decrypt. A text that needs no key to be written is not trusted.';
      throw createStoreError('the text is not encrypted, but the store has a decrypt', { place, remedy });
    }
    try {
      return requireText(await this.#decrypt(stored.slice(SEALED.length), place), place);
    } catch (cause) {
      if (cause instanceof ToolwrightError) throw cause;
      const remedy = `Give ${this.#store} the key with which the text was written.`;
      throw createStoreError(`a text could not be decrypted: ${messageOf(cause)}`, { place, remedy, cause });
    }
  }
}

/** Checks the result of a function of the host, which may be untyped. */
function requireText(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw createStoreError(`expected a text from encrypt and decrypt, got ${describeValue(value)}`, {
    place,
    remedy: 'Return a text, such as base64.',
  });
}
