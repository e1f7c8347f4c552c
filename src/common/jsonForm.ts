import { Misfits, type DataForm, type Misfit } from './dataForm.js';
import { isArray, isRecord } from './guards.js';
import { MAX_JSON_LEVELS, MAX_JSON_VALUES } from './limits.js';
import { keyText } from './text.js';

/** JSON that can be written and read back without loss. Fields of objects may be undefined, and are left out. */
export const aJsonValue: DataForm = (value) => new JsonCheck(value).misfit;

class JsonCheck {
  /** The misfits, or the value itself if it is too large. */
  readonly misfit: Misfit | undefined;
  #left = MAX_JSON_VALUES;
  #tooLarge: string | undefined;

  constructor(value: unknown) {
    const misfit = this.#misfitOf(value, 0);
    this.misfit = this.#tooLarge === undefined ? misfit : { path: '', expected: this.#tooLarge, got: value };
  }

  #misfitOf(value: unknown, depth: number): Misfit | undefined {
    if (--this.#left < 0) this.#tooLarge = `at most ${String(MAX_JSON_VALUES)} values`;
    else if (depth > MAX_JSON_LEVELS) this.#tooLarge = `JSON of at most ${String(MAX_JSON_LEVELS)} levels`;
    const misfit = { path: '', expected: 'a value of JSON', got: value };
    if (this.#tooLarge !== undefined) return misfit;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
    if (Number.isFinite(value)) return undefined;
    if (isArray(value)) return this.#misfitIn(value.entries(), depth);
    return isPlain(value) ? this.#misfitIn(Object.entries(value), depth) : misfit;
  }

  #misfitIn(held: Iterable<readonly [number | string, unknown]>, depth: number): Misfit | undefined {
    const misfits = new Misfits();
    for (const [key, entry] of held) {
      const isField = typeof key === 'string';
      if (isField && entry === undefined) continue;
      misfits.add(isField ? keyText(key) : `[${String(key)}]`, this.#misfitOf(entry, depth + 1));
      if (misfits.isFull || this.#tooLarge !== undefined) break;
    }
    return misfits.all;
  }
}

/** Returns true for an object that JSON writes by its fields. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value) || Object.prototype.toString.call(value) !== '[object Object]') return false;
  return typeof value['toJSON'] !== 'function';
}
