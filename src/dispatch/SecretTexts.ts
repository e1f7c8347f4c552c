import { HIDDEN } from '../schema/secrets.js';

/** Shorter secrets would match ordinary words. */
export const SHORTEST_SECRET = 4;

/**
 * What one call may spend on comparing its secrets with its texts, in characters and comparisons, so that no choice of them takes
 * longer than some milliseconds. Only texts that are made for it come near: what is left of them is hidden as a whole.
 */
const MOST_COMPARED = 10_000_000;
/** What a comparison costs besides its characters. */
const EACH = 20;

/** Characters of a text for which it pays to see at once where no secret begins. */
const LONG = 10_000;

/** The secret texts of one call. They are found in one pass, since a model may send thousands, and texts of a megabyte. */
export class SecretTexts {
  readonly #texts = new Set<string>();
  /** By the hash of the first characters. */
  readonly #byStart = new Map<number, string[]>();
  /**
   * Set where a secret may begin, by the lower half of the hash: tells at once that none begins at most places of a text. Made for
   * the first long text, since clearing it takes longer than a call, and a transcript has thousands of them.
   */
  #begins: Uint8Array | undefined;
  #compared = 0;

  /** @param texts of at least `SHORTEST_SECRET` characters each */
  constructor(texts: Iterable<string>) {
    this.add(texts);
  }

  /** Adds texts of at least `SHORTEST_SECRET` characters each. */
  add(texts: Iterable<string>): void {
    for (const text of texts) {
      if (this.#texts.has(text)) continue;
      this.#texts.add(text);
      this.#begins = undefined;
      let hash = 0;
      for (let index = 0; index < SHORTEST_SECRET; index++) hash = next(hash, text, index);
      const alike = this.#byStart.get(hash);
      if (alike === undefined) this.#byStart.set(hash, [text]);
      else alike.push(text);
    }
  }

  /** Longest first. */
  get all(): readonly string[] {
    return [...this.#texts].sort((one, other) => other.length - one.length);
  }

  /** The number of texts. */
  get size(): number {
    return this.#texts.size;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Resets the budget of comparisons: the next text belongs to another call. */
  renew(): this {
    this.#compared = 0;
    return this;
  }

  /** Returns the text with a placeholder for each secret in it, one for secrets that overlap. */
  hiddenIn(text: string): string {
    if (this.#texts.size === 0 || text.length < SHORTEST_SECRET) return text;
    if (text.length >= LONG) this.#begins ??= beginsOf(this.#byStart.keys());
    const begins = this.#begins;
    const kept: string[] = [];
    let [hash, from] = [0, 0];
    for (let last = 0; last < text.length; last++) {
      hash = next(hash, text, last);
      const at = last + 1 - SHORTEST_SECRET;
      // The hash of fewer characters may be that of a secret.
      if (at < 0 || begins?.[low(hash)] === 0) continue;
      const end = this.#endOfSecret(hash, text, at);
      if (end === undefined) return [...kept, text.slice(from, Math.max(from, at)), HIDDEN].join('');
      if (end <= from) continue;
      if (at >= from) kept.push(text.slice(from, at), HIDDEN);
      from = end;
    }
    return kept.length === 0 ? text : kept.join('') + text.slice(from);
  }

  /** The end of the longest secret that begins at a position; 0 if none does; undefined if too much was compared already. */
  #endOfSecret(hash: number, text: string, at: number): number | undefined {
    let end = 0;
    for (const secret of this.#byStart.get(hash) ?? []) {
      this.#compared += secret.length + EACH;
      if (this.#compared > MOST_COMPARED) return undefined;
      if (text.startsWith(secret, at)) end = Math.max(end, at + secret.length);
    }
    return end;
  }
}

/** Adds a character to a hash, which tells of the last four alone. */
function next(hash: number, text: string, index: number): number {
  return (hash << 8) ^ text.charCodeAt(index);
}

function beginsOf(hashes: Iterable<number>): Uint8Array {
  const begins = new Uint8Array(0x10000);
  for (const hash of hashes) begins[low(hash)] = 1;
  return begins;
}

function low(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
