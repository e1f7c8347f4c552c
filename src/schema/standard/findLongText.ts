import type { JsonSchema } from '../../common/types.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { locateValue } from './locateValue.js';

/**
 * The longest text, in characters, to match with a pattern or a format of another library. V8 ends a match only when it
 * backtracks, and reads up to a megabyte before it does, which takes 200 ms the first time.
 */
const MAX_MATCHED_CHARS = 100_000;

/** Keywords that make the library match a pattern. */
const MATCHED = ['pattern', 'format', 'contentEncoding'];

/**
 * Finds the first text that is too long for the pattern or format in its schema, or the first key that is too long.
 *
 * @param value plain data of limited depth
 */
export function findLongText(schema: JsonSchema, value: unknown): ParamIssue | undefined {
  return new TextSearch(schema, value).searchBelow(value);
}

class TextSearch {
  readonly #schema: JsonSchema;
  readonly #root: unknown;
  readonly #path: (string | number)[] = [];

  constructor(schema: JsonSchema, root: unknown) {
    this.#schema = schema;
    this.#root = root;
  }

  searchBelow(value: unknown): ParamIssue | undefined {
    if (typeof value === 'string') return value.length > MAX_MATCHED_CHARS ? this.#checkText(value) : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    for (const [key, inner] of Object.entries(value)) {
      this.#path.push(key);
      const issue = key.length > MAX_MATCHED_CHARS ? this.#createLengthIssue('in a key', key) : this.searchBelow(inner);
      if (issue !== undefined) return issue;
      this.#path.pop();
    }
    return undefined;
  }

  #checkText(text: string): ParamIssue | undefined {
    const { schemas } = locateValue(this.#schema, this.#root, this.#path);
    const isMatched = schemas.some((schema) => MATCHED.some((keyword) => keyword in schema));
    return isMatched ? this.#createLengthIssue('for its pattern or format', text) : undefined;
  }

  #createLengthIssue(place: string, text: string): ParamIssue {
    const { path } = locateValue(this.#schema, this.#root, this.#path);
    const message = `expected at most ${String(MAX_MATCHED_CHARS)} characters ${place}, got ${String(text.length)}`;
    return { kind: 'constraint', path, message };
  }
}
