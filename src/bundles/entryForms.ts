import {
  aBoolean,
  aNumber,
  anInteger,
  anObject,
  anything,
  aText,
  fieldsOf,
  listOf,
  oneOf,
  orNull,
  recordOf,
  type DataForm,
} from '../common/dataForm.js';
import { messageForm, usageForm } from '../value/messageForm.js';
import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { BundleEntry } from './BundleEntry.js';

const messages = listOf(messageForm);
/** As the model sent them, or as a host did: a list is refused only later. */
const received = { name: aText, arguments: anything };
const usage = { usage: usageForm };
const slices = recordOf(listOf(anything));

const sectionForm = fieldsOf({
  ...{ path: aText, number: aText, title: aText, visibility: oneOf('full', 'summary') },
  ...{ start: anInteger, end: anInteger },
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
const outcomeKinds: Readonly<Record<OutcomeKind | 'thrown', DataForm>> = {
  ...{ succeeded: anything, failed: anything, rejected: anything, denied: anything, timed_out: anything },
  ...{ conflicted: anything, expanded: anything, unknown: anything, thrown: anything },
};

/** The form of each kind of entry, without `kind`, `seq` and `time`. */
export const entryForms: Readonly<Record<BundleEntry['kind'], DataForm>> = {
  rendering: fieldsOf({
    ...{ rendering: aText, prompt: aText, text: aText },
    ...{ sections: listOf(sectionForm), tools: listOf(toolForm) },
  }),
  run: fieldsOf(
    { run: aText, prompt: aText, adapter: aText, session: aText },
    { rendering: aText, conversation: aText, metadata: anything, parent: anInteger },
  ),
  request: fieldsOf({ run: aText, turn: anInteger, count: anInteger }, { messages }),
  answer: fieldsOf(
    { of: anInteger, run: aText, turn: anInteger, durationMs: aNumber },
    {
      ...{
        text: orNull(aText),
        toolCalls: listOf(fieldsOf({ id: aText, ...received }, { wireName: aText })),
        finishReason: aText,
      },
      ...{ ...usage, prefix: prefixForm, problem: aText },
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
    { of: anInteger, outcome: oneOf(...Object.keys(outcomeKinds)), text: aText, durationMs: aNumber },
    { effect: aText, rolledBack: aBoolean },
  ),
  event: fieldsOf({ type: aText, session: aText, fields: anObject }, { of: anInteger }),
  state: fieldsOf({ session: aText, of: anInteger }, { appended: slices, replaced: slices }),
  end: fieldsOf(
    { run: aText, how: oneOf('answered', 'failed', 'cancelled', 'waiting'), durationMs: aNumber, messages },
    { problem: aText, code: aText, ...usage, cost: aNumber, turns: anInteger },
  ),
};
