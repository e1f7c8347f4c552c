import { isRecord } from '../common/guards.js';
import { mapEntries } from '../common/objects.js';
import type { JsonValue } from '../common/types.js';
import { SecretTexts } from '../dispatch/redact/SecretTexts.js';
import { FIELD_NAMES, HIDDEN } from '../schema/write/secrets.js';

/**
 * Fields that name an entry and its relations, and figures of Toolwright. None of them holds a part of arguments, and an entry without them
 * could not be read.
 */
const STRUCTURE: ReadonlySet<string> = new Set(
  (
    'kind seq time leftOut of run turn parent session type rendering how outcome caller attempt count durationMs usage ' +
    'prefix cost turns rolledBack effect finishReason'
  ).split(' '),
);

/** Such fields in the items of lists. */
const ITEM_STRUCTURE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['messages', new Set(['role', 'note'])],
  ['parts', new Set(['kind'])],
  ['sections', new Set(['visibility', 'start', 'end'])],
]);

type Fields = Readonly<Record<string, JsonValue>>;

/** The texts that a recording must not hold, as they become known. */
export class Secrets {
  readonly #texts = new SecretTexts([]);
  readonly #hook: (text: string) => string;

  /** @param hook removes the texts that the application and the recorder hide */
  constructor(hook: (text: string) => string) {
    this.#hook = hook;
  }

  /** The number of texts: entries that were written when there were fewer have to be read again. */
  get count(): number {
    return this.#texts.size;
  }

  /** Adds the secret params of a call. */
  add(texts: readonly string[]): void {
    this.#texts.add(texts);
  }

  /** Returns an entry without them, but for its structure. */
  hideIn(entry: Fields): Fields {
    return this.#item(entry, STRUCTURE);
  }

  #hide(text: string): string {
    return this.#hook(this.#texts.resetBudget().hideSecrets(text));
  }

  /** Returns a key without them; a hook that hides it whole leaves it as it is, since a record without its fields says nothing. */
  #hideKey(key: string): string {
    if (FIELD_NAMES.has(key)) return key;
    const shown = this.#hide(key);
    return shown === HIDDEN && this.#texts.resetBudget().hideSecrets(key) === key ? key : shown;
  }

  #field(key: string, value: JsonValue): JsonValue {
    const structure = ITEM_STRUCTURE.get(key);
    if (structure === undefined || !Array.isArray(value)) return this.#inner(value);
    return value.map((item: JsonValue) => (isRecord(item) ? this.#item(item, structure) : this.#inner(item)));
  }

  #item(item: Fields, structure: ReadonlySet<string>): Fields {
    return mapEntries(item, (key, value) => (structure.has(key) ? value : this.#field(key, value)));
  }

  #inner(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#hide(value);
    if (typeof value === 'number') {
      const text = String(value);
      const shown = this.#hide(text);
      return shown === text ? value : shown;
    }
    // Not mapStrings, which also copies classes and accessors: for the plain JSON of entries, it takes up to 1.6 times as long.
    if (Array.isArray(value)) return value.map((entry: JsonValue) => this.#inner(entry));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [this.#hideKey(key), this.#inner(entry)]));
  }
}
