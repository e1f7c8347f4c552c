import { keyText, messageOf } from '../common/text.js';
import type { ClassShape, ParseOutcome, Parser } from '../metadata/ClassShape.js';
import { checkedInTime, tooSlow } from './checkedInTime.js';
import { compileFastParser, DECLINED, type CompiledParser } from './compileFastParser.js';
import { depthIssue } from './limits.js';
import type { ParseOptions } from './ParseOptions.js';
import { SlowParser } from './slowParser.js';

/** Creates the parser of a class: the fast parser first, and the slow one for all that it declines (decision 6). */
export function createParser(shape: ClassShape, options: ParseOptions = {}): Parser {
  // Compiled on the first call: an application declares many tools, and a run uses few.
  let compiled: CompiledParser | undefined;
  return (value) => {
    try {
      const { parse: fast, recursive, foreign } = (compiled ??= compileFastParser(shape));
      // The fast parser of a recursive class, and what looks for long texts, would follow a value of any depth.
      const tooDeep = recursive || foreign ? depthIssue(value) : undefined;
      if (tooDeep !== undefined) return { ok: false, issues: [tooDeep] };
      if (foreign) return checkedInTime(value, () => parsed(fast, shape, value, options)) ?? REFUSED_AS_SLOW;
      return parsed(fast, shape, value, options);
    } catch (thrown) {
      // A getter or a proxy in the value threw, or a class whose properties cannot be set.
      return { ok: false, issues: [{ kind: 'type', path: '', message: `could not be read: ${messageOf(thrown)}` }] };
    }
  };
}

const REFUSED_AS_SLOW: ParseOutcome = Object.freeze({ ok: false, issues: Object.freeze([tooSlow]) });

function parsed(fast: CompiledParser['parse'], shape: ClassShape, value: unknown, options: ParseOptions): ParseOutcome {
  const instance = fast(value);
  if (instance !== DECLINED) return { ok: true, value: instance };
  const deep = depthIssue(value);
  if (deep !== undefined) return { ok: false, issues: [deep] };
  const slow = new SlowParser(options);
  const slowly = slow.object(shape, value, '');
  return slow.issues.length === 0 ? { ok: true, value: slowly } : { ok: false, issues: slow.issues };
}

/** The parser of a tool without params; accepts only `{}`. */
export const parseNothing: Parser = (value) => {
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined;
  if (keys === undefined) {
    return {
      ok: false,
      issues: [{ kind: 'type', path: '', message: 'expected an empty object: the tool takes no arguments' }],
    };
  }
  if (keys.length === 0) return { ok: true, value: null };
  const issues = keys.slice(0, 20).map((key) => ({
    kind: 'extra' as const,
    path: keyText(key),
    message: 'is not a known key: the tool takes no arguments',
  }));
  return { ok: false, issues };
};
