import { ignoreRejection, isThenable } from '../../common/classes.js';
import { describeValue, messageOf, quote } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { StandardIssue, StandardSchema } from '../../interface/StandardSchema.js';
import type { ParseOutcome, Parser } from '../../metadata/ClassShape.js';
import { checkedInTime, tooSlow } from '../checkedInTime.js';
import { copyArguments } from '../copyArguments.js';
import { foreignIssues } from './foreignIssues.js';
import { nullsAsAbsence } from './nullsAsAbsence.js';
import { prototypeKeyIn } from './prototypeKeyIn.js';

/** Of schemas of this package, whose patterns are matched in linear time. */
const OWN_VENDORS = ['json-schema', 'mcp', 'toolwright'];

/** A schema of another library, with or without a JSON Schema. */
export type ForeignSchema = Pick<StandardSchema, '~standard'>;

/**
 * Creates a parser that validates with another library. Our limits come first: depth, an object at the root, no keys of
 * prototypes that the schema does not declare; and null means absence where it can mean nothing else. The parser never throws, whatever the library does: that would end
 * the evaluation (docs/contract.md, 7).
 *
 * @param schema the JSON Schema that the model receives
 */
export function foreignParser(foreign: ForeignSchema, schema: JsonSchema): Parser {
  const { vendor } = foreign['~standard'];
  const isOwn = OWN_VENDORS.includes(vendor);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refused({ kind: 'type', path: '', message: `expected an object, got ${describeValue(value)}` });
    const given = copyArguments(value);
    if (!given.ok) return refused(given.issue);
    const key = prototypeKeyIn(schema, given.value);
    if (key !== undefined) return refused({ kind: 'extra', path: key, message: 'is not a possible key' });
    nullsAsAbsence(schema, given.value);
    const validate = (): Answer => answerOf(foreign, given.value);
    const answer = isOwn ? validate() : checkedInTime(given.value, validate);
    if (answer === undefined) return refused(tooSlow);
    if ('fault' in answer) {
      const message = `could not be checked: the ${quote(vendor)} schema ${answer.fault}. This is a fault of the tool`;
      return refused({ kind: 'constraint', path: '', message });
    }
    return 'issues' in answer
      ? { ok: false, issues: foreignIssues(schema, given.value, answer.issues) }
      : { ok: true, value: answer.value };
  };
}

/** True if the schema validates asynchronously; probed with an empty object, which is invalid for most. */
export function answersLater(foreign: ForeignSchema): boolean {
  return 'later' in answerOf(foreign, {});
}

type Answer =
  | { readonly value: unknown }
  | { readonly issues: readonly StandardIssue[] }
  | { readonly fault: string; readonly later?: true };

function answerOf(foreign: ForeignSchema, value: unknown): Answer {
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
  if (typeof result !== 'object' || result === null) return { fault: `answered with ${describeValue(result)}` };
  const { issues, value: output } = result as { readonly issues?: unknown; readonly value?: unknown };
  if (issues === undefined || issues === null || issues === false) return { value: output };
  return Array.isArray(issues)
    ? { issues: issues as readonly StandardIssue[] }
    : { fault: 'gave issues that are not a list' };
}

function refused(issue: ParamIssue): ParseOutcome {
  return { ok: false, issues: [issue] };
}
