import { ignoreRejection, isThenable } from '../../common/classes.js';
import { isObject, isRecord } from '../../common/guards.js';
import { memoize } from '../../common/memoize.js';
import { MAX_UNWATCHED_CHECK_MS } from '../../common/limits.js';
import { describeValue, messageOf, quote } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import type { StandardIssue, StandardSchema } from '../../interface/StandardSchema.js';
import type { ParseOutcome, Parser } from '../../metadata/ClassShape.js';
import { checkInTime, isUnlimited, tooSlow } from '../pattern/checkInTime.js';
import { copyArguments } from '../parse/copyArguments.js';
import { refuseWith } from '../limits.js';
import { isLight } from '../read/isLight.js';
import { isComplete } from './standardSchemas.js';
import { readForeignIssues } from './readForeignIssues.js';
import { findLongText } from './findLongText.js';
import { dropNulls } from './dropNulls.js';
import { findPrototypeKey } from './findPrototypeKey.js';
import { weighSchema } from './weighSchema.js';

/**
 * Creates a parser that validates with another library. Checks our own limits first: depth, an object at the root, no prototype
 * keys that the schema does not declare. Treats null as absent if it can mean nothing else. Ends a check after 40 ms, unless the
 * JSON Schema itself shows that it is short. Never throws, whatever the library does: that would end the evaluation
 * (docs/contract.md, 7).
 *
 * @param schema the JSON Schema that the model receives
 */
export function createForeignParser(foreign: StandardSchema, schema: JsonSchema): Parser {
  const isOwn = isComplete(foreign);
  // Weighed on the first call: an application declares many tools, and a run uses few.
  const weight = memoize(() => (isOwn ? weighSchema(schema) : undefined));
  return (value) => {
    if (!isRecord(value))
      return refuseWith({ kind: 'type', path: '', message: `expected an object, got ${describeValue(value)}` });
    const given = copyArguments(value);
    if (!given.ok) return { ok: false, issues: given.issues };
    const check = (): Verdict => checkArguments(foreign, schema, given.value);
    // Adds the paths to issues, by means of the JSON Schema.
    const explain = (verdict: Verdict): ParseOutcome =>
      'found' in verdict ? { ok: false, issues: readForeignIssues(schema, given.value, verdict.found) } : verdict;
    const limit = weight();
    try {
      if (limit !== undefined && isLight(given.value, limit)) {
        const verdict = check();
        if (!('found' in verdict)) return verdict;
        // Locating a hundred issues may take longer than the check that found them.
        return checkInTime(() => explain(verdict), MAX_UNWATCHED_CHECK_MS) ?? refuseWith(tooSlow);
      }
      const tooLong = isOwn ? undefined : findLongText(schema, given.value);
      if (tooLong !== undefined) return refuseWith(tooLong);
      return checkInTime(() => explain(check())) ?? refuseWith(tooSlow);
    } catch (thrown) {
      if (!isUnlimited(thrown)) throw thrown;
      return refuseWith({ kind: 'constraint', path: '', message: `could not be checked: ${thrown.message}` });
    }
  };
}

/** The outcome of a check, or its issues as the library reported them. */
type Verdict = ParseOutcome | { readonly found: readonly StandardIssue[] };

/** Checks a copy of the arguments, and changes it in place. */
function checkArguments(foreign: StandardSchema, schema: JsonSchema, value: unknown): Verdict {
  const key = findPrototypeKey(schema, value);
  if (key !== undefined) return refuseWith({ kind: 'extra', path: key, message: 'is not a possible key' });
  dropNulls(schema, value);
  const answer = askSchema(foreign, value);
  if ('issues' in answer) return { found: answer.issues };
  if (!('fault' in answer)) return { ok: true, value: answer.value };
  const library = quote(foreign['~standard'].vendor);
  const message = `could not be checked: the ${library} schema ${answer.fault}. This is a fault of the tool`;
  return refuseWith({ kind: 'constraint', path: '', message });
}

/** Checks whether the schema validates asynchronously, by probing it with an empty object, which most schemas refuse. */
export function validatesAsync(foreign: StandardSchema): boolean {
  return 'later' in askSchema(foreign, {});
}

type Answer =
  | { readonly value: unknown }
  | { readonly issues: readonly StandardIssue[] }
  | { readonly fault: string; readonly later?: true };

function askSchema(foreign: StandardSchema, value: unknown): Answer {
  let result: unknown;
  try {
    result = foreign['~standard'].validate(value);
  } catch (thrown) {
    return { fault: `threw: ${messageOf(thrown)}` };
  }
  if (isThenable(result)) {
    ignoreRejection(result);
    return { fault: 'answered with a promise (E212)', later: true };
  }
  if (!isObject(result)) return { fault: `answered with ${describeValue(result)}` };
  const { issues, value: output } = result as { readonly issues?: unknown; readonly value?: unknown };
  if (issues === undefined || issues === null || issues === false) return { value: output };
  return Array.isArray(issues)
    ? { issues: issues as readonly StandardIssue[] }
    : { fault: 'gave issues that are not a list' };
}
