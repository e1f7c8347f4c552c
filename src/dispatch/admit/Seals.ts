import { crypto, sha256 } from '../../common/builtins.js';
import { getOrCreate } from '../../common/memoize.js';

/** The purpose that a text is signed for; a signature is not valid for any other purpose. */
export type SealPurpose = 'pending call' | 'question' | 'mcp answers';

const KEY_BYTES = 32;

/**
 * Signs texts that leave the process and come back. Signs with the first key of the application, and verifies with all of them.
 * Without keys it uses a hash, which detects accidental changes but not forgery.
 */
export class Seals {
  readonly #keys: readonly string[];
  readonly #derived = new Map<string, Buffer>();

  /** @param keys newest first */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Says whether seals are signatures, which require a key. */
  get isSigning(): boolean {
    return this.#keys.length > 0;
  }

  seal(purpose: SealPurpose, text: string): string {
    const [key] = this.#keys;
    return key === undefined ? sha256(`${purpose}\n${text}`) : this.#sign(key, purpose, text);
  }

  /** Checks that the text was sealed for the purpose with one of the keys. */
  verify(purpose: SealPurpose, text: string, seal: unknown): boolean {
    if (typeof seal !== 'string') return false;
    if (!this.isSigning) return isEqual(this.seal(purpose, text), seal);
    return this.#keys.some((key) => isEqual(this.#sign(key, purpose, text), seal));
  }

  /** Derives a key for a purpose from each key of the application, newest first: 32 bytes each. */
  deriveKeys(purpose: SealPurpose): readonly Buffer[] {
    return this.#keys.map((key) => this.#derive(key, purpose));
  }

  #sign(key: string, purpose: SealPurpose, text: string): string {
    return crypto().createHmac('sha256', this.#derive(key, purpose)).update(text).digest('base64url');
  }

  #derive(key: string, purpose: SealPurpose): Buffer {
    return getOrCreate(this.#derived, `${purpose}\n${key}`, () =>
      Buffer.from(crypto().hkdfSync('sha256', key, '', `toolwright ${purpose}`, KEY_BYTES)),
    );
  }
}

/** Compares two texts in constant time. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && crypto().timingSafeEqual(first, second);
}
