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
import { outcomeKinds, sessionDeltaFields } from '../evaluate/conversation/log/entryForms.js';
import { messageForm, usageForm } from '../value/messageForm.js';
import type { BundleEntry } from './BundleEntry.js';

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
export const entryForms: Readonly<Record<BundleEntry['kind'], DataForm>> = {
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
