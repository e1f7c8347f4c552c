import { MAX_ESCAPE_LAYERS, MAX_SECRET_LAYERS, MAX_SECRET_STEPS, MIN_SECRET_CHARS } from '../../common/limits.js';
import { ensureWellFormed } from '../../common/text.js';
import { HIDDEN } from '../../schema/write/secrets.js';
import { decodeText, mayHaveEscapes, type DecodedText } from '../admit/DecodedText.js';

/** Cost of a comparison besides its characters. */
const EACH = 20;
/** Cost of an occurrence: every later step handles the placeholder again. */
const EACH_FOUND = 5_000;
/** Cost of a character in each layer after the first. */
const EACH_DECODED = 5;

/** Characters of a text from which it pays to index where no secret can begin. */
const LONG = 10_000;

/** The place of one secret, or of several that overlap. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The secret texts of one call. Finds all of them in one pass, since a model may send thousands, and texts of a megabyte. Decodes
 * a text with URL or JSON escapes layer by layer, and searches each layer.
 */
export class SecretTexts {
  readonly #texts = new Set<string>();
  readonly #forms = new Set<string>();
  /** Forms by the hash of their first characters. */
  readonly #byStart = new Map<number, string[]>();
  /**
   * Marks the possible beginnings of a secret, by half of the hash's bits, to skip most places of a text. Built for the first
   * long text, since clearing it takes longer than a call, and a transcript has thousands of calls.
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
      for (const form of listForms(text)) this.#addForm(form);
    }
  }

  #addForm(form: string): void {
    if (form.length < MIN_SECRET_CHARS || this.#forms.has(form)) return;
    this.#forms.add(form);
    let hash = 0;
    for (let index = 0; index < MIN_SECRET_CHARS; index++) hash = extendHash(hash, form, index);
    const alike = this.#byStart.get(hash);
    if (alike === undefined) this.#byStart.set(hash, [form]);
    else alike.push(form);
  }

  /** All texts, longest first. */
  get all(): readonly string[] {
    return [...this.#texts].sort((one, other) => other.length - one.length);
  }

  get size(): number {
    return this.#texts.size;
  }

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Resets the budget of comparisons: the next text belongs to another call. */
  resetBudget(): this {
    this.#compared = 0;
    return this;
  }

  /** Replaces each secret in the text with a placeholder, and overlapping secrets with one. */
  hideSecrets(text: string): string {
    if (this.#texts.size === 0 || text.length < MIN_SECRET_CHARS) return text;
    const found = this.#findSpans(text);
    // The layers below would be hidden as a whole.
    if (this.#compared > MAX_SECRET_STEPS && mayHaveEscapes(text)) return HIDDEN;
    const layer = decodeText(text);
    const spans = layer === undefined ? found : mergeSpans([...found, ...this.#findSpansInLayers(text, layer)]);
    return spans.length === 0 ? text : insertPlaceholders(text, spans);
  }

  /** Searches the layers below a text; positions refer to the text itself. */
  #findSpansInLayers(text: string, first: DecodedText): readonly Span[] {
    const spans: Span[] = [];
    let layer: DecodedText | undefined = first;
    for (let layers = 1; layer !== undefined; layers++) {
      for (const { start, end } of this.#findSpans(layer.text))
        spans.push({ start: layer.startOf(start), end: layer.startOf(end) });
      if (!mayHaveEscapes(layer.text)) break;
      this.#compared += EACH_DECODED * layer.text.length;
      if (this.#compared > MAX_SECRET_STEPS) return [{ start: 0, end: text.length }];
      layer = layer.next();
      if (layer !== undefined && layers >= MAX_ESCAPE_LAYERS) return [{ start: 0, end: text.length }];
    }
    return spans;
  }

  /**
   * Finds the secrets of a text without decoding it; once the budget is used up, the last span reaches to the end of the text.
   */
  #findSpans(text: string): readonly Span[] {
    if (text.length >= LONG) this.#begins ??= markBeginnings(this.#byStart.keys());
    const begins = this.#begins;
    const spans: Span[] = [];
    let [hash, start, end] = [0, 0, 0];
    for (let last = 0; last < text.length; last++) {
      hash = extendHash(hash, text, last);
      const at = last + 1 - MIN_SECRET_CHARS;
      // Fewer characters may have the hash of a secret.
      if (at < 0 || begins?.[mixBits(hash)] === 0) continue;
      const found = this.#findSecretEnd(hash, text, at);
      if (found <= end) continue;
      if (at < end) spans.pop();
      else start = at;
      end = found;
      spans.push({ start, end });
      if (end === text.length) break;
    }
    return spans;
  }

  /**
   * Returns the end of the longest secret at a position, 0 if there is none, or the end of the text once the budget is used up.
   */
  #findSecretEnd(hash: number, text: string, at: number): number {
    let end = 0;
    for (const secret of this.#byStart.get(hash) ?? []) {
      this.#compared += secret.length + EACH;
      if (this.#compared > MAX_SECRET_STEPS) return text.length;
      if (text.startsWith(secret, at)) end = Math.max(end, at + secret.length);
    }
    if (end > 0) this.#compared += EACH_FOUND;
    return end;
  }
}

/** Returns the forms in which a secret may appear in a text or in one of its layers; forms write a space as `+`. */
function listForms(secret: string): readonly string[] {
  const forms = [secret, ensureWellFormed(secret)];
  let layer = decodeText(secret);
  for (let layers = 0; layer !== undefined && layers < MAX_SECRET_LAYERS; layers++) {
    forms.push(layer.text);
    layer = layer.next();
  }
  return forms.flatMap((form) => (form.includes(' ') ? [form, form.replaceAll(' ', '+')] : [form]));
}

function mergeSpans(spans: Span[]): readonly Span[] {
  spans.sort((one, other) => one.start - other.start);
  const merged: Span[] = [];
  for (const span of spans) {
    const before = merged.at(-1);
    if (before === undefined || span.start >= before.end) merged.push(span);
    else if (span.end > before.end) merged[merged.length - 1] = { start: before.start, end: span.end };
  }
  return merged;
}

function insertPlaceholders(text: string, spans: readonly Span[]): string {
  const [first] = spans;
  if (first?.start === 0 && first.end === text.length) return HIDDEN;
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    kept.push(text.slice(from, start), HIDDEN);
    from = end;
  }
  return kept.join('') + text.slice(from);
}

/** Adds a character to a hash that covers only the last four. */
function extendHash(hash: number, text: string, index: number): number {
  return (hash << 8) ^ text.charCodeAt(index);
}

function markBeginnings(hashes: Iterable<number>): Uint8Array {
  const begins = new Uint8Array(0x10000);
  for (const hash of hashes) begins[mixBits(hash)] = 1;
  return begins;
}

function mixBits(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
