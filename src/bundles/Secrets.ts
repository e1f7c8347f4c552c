import type { JsonValue } from '../common/types.js';
import { HIDDEN } from '../schema/secrets.js';

/** Fields that tell what an entry is and what it belongs to. */
const STRUCTURE = new Set([
  'kind',
  'seq',
  'time',
  'of',
  'run',
  'turn',
  'parent',
  'session',
  'type',
  'rendering',
  'how',
]);

/** Fields of messages, parts, usage and changes: a bundle without their names could not be read. */
const FIELDS = new Set(
  [
    'after arguments before bytes caller callId changes code content data effect failed finishReason id kind mediaType message',
    'name native note outcome parts part path place problem role seq text tool toolCallId toolCalls tools type url usage value what',
  ].flatMap((names) => names.split(' ')),
);

/** The texts that a recording must not hold, as they become known. */
export class Secrets {
  #texts: readonly string[] = [];
  readonly #hook: (text: string) => string;

  /** @param hook removes what the application and the recorder hide in any text */
  constructor(hook: (text: string) => string) {
    this.#hook = hook;
  }

  /** The number of texts: entries that were written when there were fewer have to be read again. */
  get count(): number {
    return this.#texts.length;
  }

  /** Adds the secret params of a call. */
  add(texts: readonly string[]): void {
    const fresh = texts.filter((text) => !this.#texts.includes(text));
    if (fresh.length > 0) this.#texts = [...this.#texts, ...fresh].sort((one, other) => other.length - one.length);
  }

  /** Returns a text without them. */
  readonly hide = (text: string): string =>
    this.#hook(this.#texts.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text));

  /** Returns a key without them; a hook that hides it whole leaves it as it is, since a record without its fields says nothing. */
  readonly hideKey = (key: string): string => {
    if (FIELDS.has(key)) return key;
    const shown = this.hide(key);
    return shown === HIDDEN && !this.#texts.some((secret) => key.includes(secret)) ? key : shown;
  };

  /** Returns an entry that was written earlier without what has become known since. */
  hideIn(entry: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(
      Object.entries(entry).map(([key, value]) => [key, STRUCTURE.has(key) ? value : this.#inner(value)]),
    );
  }

  #inner(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.hide(value);
    if (typeof value === 'number') return this.#texts.includes(String(value)) ? HIDDEN : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((entry: JsonValue) => this.#inner(entry));
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [this.hideKey(key), this.#inner(entry)]));
  }
}
