import {
  aBoolean,
  aNumber,
  anInteger,
  anObject,
  anything,
  aText,
  describeMisfit,
  fieldsOf,
  listOf,
  oneOf,
  orNull,
  recordOf,
  type DataForm,
} from '../common/dataForm.js';
import { isRecord } from '../common/guards.js';
import { describeValue, didYouMean } from '../common/text.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import { outcomeKinds, sessionDeltaFields } from '../evaluate/conversation/log/entryForms.js';
import { messageForm, usageForm } from '../value/messageForm.js';
import type { BundleEntry, BundleHead } from './BundleEntry.js';

const messages = listOf(messageForm);
/** The arguments are as the model or a host sent them: a list is refused only later. */
const received = { name: aText, arguments: anything };
const receivedForm = fieldsOf({ id: aText, ...received }, { wireName: aText });

const sectionForm = fieldsOf({
  path: aText,
  number: aText,
  title: aText,
  visibility: oneOf('full', 'summary'),
  start: anInteger,
  end: anInteger,
});
const toolForm = fieldsOf({ name: aText, description: aText, section: aText, schema: anObject }, { hints: anything });
const prefixForm = fieldsOf(
  { keptBytes: aNumber, newBytes: aNumber, keptTokens: aNumber, changedBytes: aNumber },
  { brokenAt: orNull(aText), changedParameters: listOf(aText) },
);
const resourceForm = fieldsOf(
  { name: aText },
  { changes: orNull(listOf(fieldsOf({ what: aText }, { before: anything, after: anything }))) },
);

/** The form of each kind of entry, without `kind`, `seq` and `time`. */
const entryForms: Readonly<Record<BundleEntry['kind'], DataForm>> = {
  rendering: fieldsOf({
    rendering: aText,
    prompt: aText,
    text: aText,
    sections: listOf(sectionForm),
    tools: listOf(toolForm),
  }),
  run: fieldsOf(
    { run: aText, prompt: aText, adapter: aText, session: aText },
    { rendering: aText, conversation: aText, metadata: anything, params: recordOf(anObject), parent: anInteger },
  ),
  request: fieldsOf({ run: aText, turn: anInteger, count: anInteger }, { messages }),
  answer: fieldsOf(
    { of: anInteger, run: aText, turn: anInteger, durationMs: aNumber },
    {
      text: orNull(aText),
      toolCalls: listOf(receivedForm),
      finishReason: aText,
      usage: usageForm,
      prefix: prefixForm,
      problem: aText,
    },
  ),
  call: fieldsOf(
    { run: aText, session: aText, turn: anInteger, callId: aText, ...received },
    { caller: oneOf('direct', 'program'), section: aText, parent: anInteger },
  ),
  attempt: fieldsOf({ of: anInteger, attempt: anInteger }),
  resources: fieldsOf({ of: anInteger, attempt: anInteger, resources: listOf(resourceForm) }),
  program: fieldsOf({ attempt: anInteger, code: aText, tools: listOf(aText) }, { of: anInteger }),
  outcome: fieldsOf(
    { of: anInteger, outcome: oneOf(...outcomeKinds, 'thrown'), text: aText, durationMs: aNumber },
    { effect: aText, rolledBack: aBoolean },
  ),
  event: fieldsOf({ type: aText, session: aText, fields: anObject }, { of: anInteger }),
  state: fieldsOf({ session: aText, of: anInteger }, sessionDeltaFields),
  end: fieldsOf(
    { run: aText, how: oneOf('answered', 'failed', 'cancelled', 'waiting'), durationMs: aNumber, messages },
    { problem: aText, code: aText, usage: usageForm, cost: aNumber, turns: anInteger },
  ),
};

const headForm = fieldsOf({ createdAt: aNumber, versions: recordOf(aText) });
const placeForm = fieldsOf({ seq: anInteger, time: aNumber }, { leftOut: listOf(aText) });

/** Checks the first line of a bundle. @throws ToolwrightError E750 */
export function checkHead(value: unknown): BundleHead {
  const { kind, format, version } = isRecord(value) ? value : {};
  if (kind !== 'bundle' || format !== 'toolwright/bundle')
    throw createUnreadableError(
      1,
      'expected the head of a bundle: {"kind":"bundle","format":"toolwright/bundle","version":1,…}',
    );
  if (version !== 1) throw createUnreadableError(1, `expected version 1, got ${describeValue(version)}`);
  const misfit = headForm(value);
  if (misfit !== undefined) throw createUnreadableError(1, `${misfit.path}: ${describeMisfit(misfit)}`);
  return value as BundleHead;
}

/** @param after the `seq` of the entry before; -1 for the first @throws ToolwrightError E750 */
export function checkEntry(value: unknown, line: number, after: number): BundleEntry {
  if (!isRecord(value)) throw createUnreadableError(line, `expected an entry, got ${describeValue(value)}`);
  const { kind, seq } = value;
  if (typeof kind !== 'string' || !Object.hasOwn(entryForms, kind)) {
    const hint = typeof kind === 'string' ? didYouMean(kind, Object.keys(entryForms)) : '';
    throw createUnreadableError(line, `expected a kind of entry, got ${describeValue(kind)}.${hint}`);
  }
  const misfit = placeForm(value) ?? entryForms[kind as BundleEntry['kind']](value);
  if (misfit !== undefined) throw createUnreadableError(line, `${kind}.${misfit.path}: ${describeMisfit(misfit)}`);
  if ((seq as number) <= after)
    throw createUnreadableError(
      line,
      `expected seq as a number greater than ${String(after)}, got ${describeValue(seq)}`,
    );
  return value as unknown as BundleEntry;
}

/** Makes the error E750: a line of a bundle does not fit. */
export function createUnreadableError(line: number, problem: string, cause?: unknown): ToolwrightError {
  return createPlacedError(problem, { code: 'E750', place: `line ${String(line)}`, cause });
}

/** Makes the error E751: a bundle, or a line of it, is too large. */
export function createBundleSizeError(place: string, problem: string): ToolwrightError {
  return createPlacedError(problem, { code: 'E751', place });
}
