import { describeValue, keyText, messageOf } from '../common/text.js';
import type { ParamIssue } from '../error/toolErrors.js';
import { MAX_DEPTH, MAX_VALUES, tooDeep, tooWide } from './limits.js';

/** A copy of arguments, or the issue for which they are refused. */
export type CopiedArguments =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issue: ParamIssue };

/** Ends the copying of arguments. */
class RefusedArguments extends TypeError {
  constructor(readonly issue: ParamIssue) {
    super(issue.message);
  }
}

/**
 * Copies arguments into plain data within the limits of depth and size, so that neither a handler nor another library gets the
 * caller's own objects. Instances become records of their own properties, and dates stay dates. A key named `__proto__` is refused
 * anywhere, as is what JSON cannot say, or what throws when it is read.
 */
export function copyArguments(value: unknown): CopiedArguments {
  try {
    return { ok: true, value: new Copying().of(value, '', 0) };
  } catch (thrown) {
    if (thrown instanceof RefusedArguments) return { ok: false, issue: thrown.issue };
    return { ok: false, issue: { kind: 'type', path: '', message: `could not be read: ${messageOf(thrown)}` } };
  }
}

// Read once: in a context of node:vm, which tests run in, each look-up of a global takes longer than the call.
const { keys: keysOf, prototype: plain } = Object;
const { isArray } = Array;

class Copying {
  #entries = MAX_VALUES;

  of(value: unknown, path: string, depth: number): unknown {
    if (--this.#entries < 0) throw new RefusedArguments(tooWide);
    switch (typeof value) {
      case 'bigint':
      case 'symbol':
      case 'function':
        return refuse('type', path, `expected JSON, got ${describeValue(value)}`);
      case 'object':
        return value === null ? null : this.#object(value, path, depth);
      default:
        return value;
    }
  }

  #object(value: object, path: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new RefusedArguments(tooDeep);
    if (isArray(value)) return this.#list(value, path, depth);
    const tag = plain.toString.call(value).slice(8, -1);
    if (tag === 'Date') return new Date(value as Date);
    if (tag !== 'Object') refuse('type', path, `expected JSON, got an object of the kind ${keyText(tag)}`);
    const copy: Record<string, unknown> = {};
    const keys = keysOf(value);
    if (keys.length > this.#entries) throw new RefusedArguments(tooWide);
    for (const key of keys) {
      const at = path === '' ? keyText(key) : `${path}.${keyText(key)}`;
      if (key === '__proto__') refuse('extra', at, 'is not a possible key');
      copy[key] = this.of((value as Readonly<Record<string, unknown>>)[key], at, depth + 1);
    }
    return copy;
  }

  #list(values: readonly unknown[], path: string, depth: number): readonly unknown[] {
    const copy: unknown[] = [];
    if (values.length > this.#entries) throw new RefusedArguments(tooWide);
    // Not `map`, which visits each hole of a list whose length alone is large.
    for (let index = 0; index < values.length; index++)
      copy.push(this.of(values[index], `${path}[${index.toString()}]`, depth + 1));
    return copy;
  }
}

function refuse(kind: ParamIssue['kind'], path: string, message: string): never {
  throw new RefusedArguments({ kind, path, message });
}
