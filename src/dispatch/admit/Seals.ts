import { crypto, sha256 } from '../../common/builtins.js';

/** Texts are signed for a purpose: a signature for one is worth nothing for another. */
export type SealPurpose = 'pending call' | 'question';

/** The bytes of a derived key. */
const KEY_BYTES = 32;

/**
 * Signs what leaves the process and comes back, with the keys of the application: the first one signs, and all verify. Without keys,
 * a hash takes the place of the signature: it finds changes by mistake, but no forgery.
 */
export class Seals {
  readonly #keys: readonly string[];
  readonly #derived = new Map<string, Buffer>();

  /** @param keys the newest first */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** True if a seal can only be made with a key. */
  get isSigning(): boolean {
    return this.#keys.length > 0;
  }

  seal(purpose: SealPurpose, text: string): string {
    const [key] = this.#keys;
    return key === undefined ? sha256(`${purpose}\n${text}`) : this.#sign(key, purpose, text);
  }

  /** True if the text was sealed for the purpose, with any of the keys. */
  verify(purpose: SealPurpose, text: string, seal: unknown): boolean {
    if (typeof seal !== 'string') return false;
    if (!this.isSigning) return isEqual(this.seal(purpose, text), seal);
    return this.#keys.some((key) => isEqual(this.#sign(key, purpose, text), seal));
  }

  #sign(key: string, purpose: SealPurpose, text: string): string {
    return crypto().createHmac('sha256', this.#derive(key, purpose)).update(text).digest('base64url');
  }

  #derive(key: string, purpose: SealPurpose): Buffer {
    const name = `${purpose}\n${key}`;
    const known = this.#derived.get(name);
    if (known !== undefined) return known;
    const derived = Buffer.from(crypto().hkdfSync('sha256', key, '', `toolwright ${purpose}`, KEY_BYTES));
    this.#derived.set(name, derived);
    return derived;
  }
}

/** Compares in a time that says nothing about where two texts differ. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && crypto().timingSafeEqual(first, second);
}
