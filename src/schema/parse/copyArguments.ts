import type { Fields } from '../../common/guards.js';
import { MAX_DEPTH_LEVELS, MAX_ISSUES, MAX_VALUES } from '../../common/limits.js';
import { describeValue, keyText, messageOf } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { ParseOutcome } from '../../metadata/ClassShape.js';
import { formatPath, tooDeep, tooWide } from '../limits.js';

// Read once: in a context of node:vm, in which test runners run code, each look at a global costs as much as the copy of a value.
const { isArray } = Array;
const { keys: listKeys } = Object;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the value as `this`
const { toString: writeTag } = Object.prototype;

/** A copy of arguments, or the issues that they are refused for; `values` is the number of values that were copied. */
export type CopiedArguments = ParseOutcome & { readonly values: number };

/** Thrown to stop copying when a limit is exceeded. */
class RefusedArguments extends TypeError {
  constructor(readonly issue: ParamIssue) {
    super(issue.message);
  }
}

/**
 * Copies arguments into plain data within the limits of depth and size, so that neither a handler nor another library gets the
 * caller's own objects. Instances become records of their own properties; dates stay dates. Refuses keys named `__proto__`,
 * values that JSON cannot hold, and values that throw when read.
 */
export function copyArguments(value: unknown): CopiedArguments {
  const copying = new Copying();
  try {
    const copy = copying.of(value);
    const { issues, values } = copying;
    return issues.length === 0 ? { ok: true, value: copy, values } : { ok: false, issues, values };
  } catch (thrown) {
    const { values } = copying;
    if (thrown instanceof RefusedArguments) return { ok: false, issues: [thrown.issue], values };
    const message = `could not be read: ${messageOf(thrown)}`;
    return { ok: false, issues: [{ kind: 'type', path: '', message }], values };
  }
}

/** Copies the arguments of each call: it has its own loop, which copies and counts in one pass. */
class Copying {
  /** Every value that JSON cannot hold, so that all of them can be corrected at once. */
  readonly issues: ParamIssue[] = [];
  #entries = MAX_VALUES;
  /** Keys and indexes that lead to the current value; formatted as a path only for an issue. */
  readonly #path: (string | number)[] = [];

  get values(): number {
    return MAX_VALUES - this.#entries;
  }

  of(value: unknown): unknown {
    if (--this.#entries < 0) throw new RefusedArguments(tooWide);
    switch (typeof value) {
      case 'bigint':
      case 'symbol':
      case 'function':
        this.#refuse('type', `expected JSON, got ${describeValue(value)}`);
        return undefined;
      case 'object':
        return value === null ? null : this.#copyObject(value);
      default:
        return value;
    }
  }

  #copyObject(value: object): unknown {
    if (this.#path.length > MAX_DEPTH_LEVELS) throw new RefusedArguments(tooDeep);
    if (isArray(value)) return this.#copyList(value);
    const tag = writeTag.call(value).slice(8, -1);
    if (tag === 'Date') return new Date(value as Date);
    if (tag !== 'Object') {
      this.#refuse('type', `expected JSON, got an object of the kind ${keyText(tag)}`);
      return undefined;
    }
    const copy: Record<string, unknown> = {};
    const keys = listKeys(value);
    if (keys.length > this.#entries) throw new RefusedArguments(tooWide);
    for (const key of keys) {
      this.#path.push(key);
      if (key === '__proto__') this.#refuse('extra', 'is not a possible key');
      else copy[key] = this.of((value as Fields)[key]);
      this.#path.pop();
    }
    return copy;
  }

  #copyList(values: readonly unknown[]): readonly unknown[] {
    const copy: unknown[] = [];
    if (values.length > this.#entries) throw new RefusedArguments(tooWide);
    // Unlike `map`, stops early for a sparse list with a huge length.
    for (let index = 0; index < values.length; index++) {
      this.#path.push(index);
      copy.push(this.of(values[index]));
      this.#path.pop();
    }
    return copy;
  }

  #refuse(kind: ParamIssue['kind'], message: string): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ kind, path: formatPath(this.#path), message });
  }
}
