import { isRecord } from '../../common/guards.js';
import { MAX_MATCHES_MS } from '../../common/limits.js';
import { memoize } from '../../common/memoize.js';
import { keyText, messageOf } from '../../common/text.js';
import type { ClassShape, ParseOutcome, Parser } from '../../metadata/ClassShape.js';
import { checkInTime, isUnlimited, tooSlow } from '../pattern/checkInTime.js';
import { compileExplainer, compileFastParser, DECLINED, type FastParser } from './compileFastParser.js';
import { isLight } from '../read/isLight.js';
import { findDepthIssue, refuseWith } from '../limits.js';
import { runWithMatchBudget } from '../pattern/matchBudget.js';
import type { ParseOptions } from './ParseOptions.js';
import { readRuleLoad, type RuleLoad } from '../read/readRuleLoad.js';
import { SlowParser } from './slowParser.js';

/**
 * Creates the parser of a class. It runs the fast parser first, the explainer for a value that the fast one declines, and the slow
 * parser for a value that both decline (decision 6).
 */
export function createParser(shape: ClassShape, options: ParseOptions = {}): Parser {
  // Compiled on the first call: an application declares many tools, and a run uses few.
  let compiled: (RuleLoad & { readonly fast: FastParser }) | undefined;
  const getExplainer = memoize(() => compileExplainer(shape));
  const run = (fast: FastParser, value: unknown, isRecursive: boolean): ParseOutcome => {
    const instance = fast(value);
    if (instance !== DECLINED) return { ok: true, value: instance };
    const report = new SlowParser(options);
    // A wrong scalar may have to be converted.
    const isExplained = options.coerce !== true && getExplainer()(value, report, '') !== DECLINED;
    if (isExplained && report.issues.length > 0) return { ok: false, issues: report.issues };
    // A value of a recursive class was measured before the fast parser read it.
    const tooDeep = isRecursive ? undefined : findDepthIssue(value);
    if (tooDeep !== undefined) return refuseWith(tooDeep);
    const slow = new SlowParser(options);
    const slowly = slow.object(shape, value, '');
    return slow.issues.length === 0 ? { ok: true, value: slowly } : { ok: false, issues: slow.issues };
  };
  return (value) => {
    try {
      compiled ??= { ...readRuleLoad(shape), fast: compileFastParser(shape) };
      const { fast, isRecursive, isUnbounded, limit, hasMatches } = compiled;
      // The fast parser of a recursive class would follow a value of any depth.
      const tooDeep = isRecursive ? findDepthIssue(value) : undefined;
      if (tooDeep !== undefined) return refuseWith(tooDeep);
      const isBounded = !isUnbounded && (limit === undefined || isLight(value, limit));
      if (isBounded && !hasMatches) return run(fast, value, isRecursive);
      return runInTime(() => run(fast, value, isRecursive), isBounded);
    } catch (thrown) {
      // The runtime cannot limit the time, a getter or a proxy in the value threw, or the class has properties that cannot be set.
      const problem = isUnlimited(thrown) ? 'could not be checked' : 'could not be read';
      return refuseWith({ kind: 'type', path: '', message: `${problem}: ${messageOf(thrown)}` });
    }
  };
}

/** @param isBounded true if only the matches of patterns may take long */
function runInTime(check: () => ParseOutcome, isBounded: boolean): ParseOutcome {
  const outcome = isBounded ? runWithMatchBudget(check) : undefined;
  return outcome ?? checkInTime(check, isBounded ? MAX_MATCHES_MS : 0) ?? REFUSED_AS_SLOW;
}

const REFUSED_AS_SLOW: ParseOutcome = Object.freeze({ ok: false, issues: Object.freeze([tooSlow]) });

/** Parses the arguments of a tool without params; accepts only `{}`. */
export const parseNothing: Parser = (value) => {
  const keys = isRecord(value) ? Object.keys(value) : undefined;
  if (keys === undefined)
    return refuseWith({ kind: 'type', path: '', message: 'expected an empty object: the tool takes no arguments' });
  if (keys.length === 0) return { ok: true, value: null };
  const issues = keys.slice(0, 20).map((key) => ({
    kind: 'extra' as const,
    path: keyText(key),
    message: 'is not a known key: the tool takes no arguments',
  }));
  return { ok: false, issues };
};
