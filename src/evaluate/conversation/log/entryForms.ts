import {
  aBoolean,
  aNumber,
  anInteger,
  anObject,
  anything,
  aText,
  fieldsOf,
  formOf,
  listOf,
  oneOf,
  orNull,
  recordOf,
  type DataForm,
  type Misfit,
} from '../../../common/dataForm.js';
import type { RunEntry, QuestionReply } from '../../../interface/RunEntry.js';
import {
  argumentsForm,
  messageForm,
  createMessageForm,
  nativeForm,
  toolCallForm,
  usageForm,
} from '../../../value/messageForm.js';
import { findPartsProblem } from '../../../value/findPartsProblem.js';
import type { OutcomeKind } from '../../../value/ToolOutcome.js';

const slices = recordOf(listOf(anything));
/** The changes of a session: values of slices by their names. */
export const sessionDeltaFields = { appended: slices, replaced: slices };
/** A record, so that the compiler asks for every kind. */
const isOutcomeKind: Readonly<Record<OutcomeKind, 1>> = {
  succeeded: 1,
  failed: 1,
  rejected: 1,
  denied: 1,
  timed_out: 1,
  conflicted: 1,
  expanded: 1,
  unknown: 1,
};
export const outcomeKinds = Object.keys(isOutcomeKind);

/** Every provider refuses a tool unless its arguments are an object. */
const aToolSchema: DataForm = fieldsOf({ type: oneOf('object') });
const recordedToolForm = fieldsOf(
  { name: aText, description: aText, schema: aToolSchema, section: aText },
  { examples: listOf(anObject) },
);
const headFields = {
  text: aText,
  offered: listOf(recordedToolForm),
  closed: listOf(recordedToolForm),
  fingerprint: aText,
  sections: recordOf(aText),
};
/** A message of a log, whose parts have their bytes: the next request repeats them. */
const loggedMessage: DataForm = (value) => messageForm(value) ?? findPartsMisfit(value);
const messages = listOf(loggedMessage);
const ofRole =
  (role: string): DataForm =>
  (value) =>
    createMessageForm(role)(value) ?? findPartsMisfit(value);
const call = { call: aText, name: aText };
const session = { session: fieldsOf({}, sessionDeltaFields) };
const output = { output: aText, form: aText };
const sentForm = fieldsOf({ messages: aText, count: aNumber }, { tools: aText, system: aText });
const loweredForm = recordOf(recordOf(fieldsOf({ strict: aBoolean }, { parameters: anObject })));
const by = { by: aText };
/** The fields of each kind of reply besides `kind`: required ones, then optional ones. */
export const replyFields: Readonly<Record<QuestionReply['kind'], Parameters<typeof fieldsOf>>> = {
  approved: [{}, { ...by, seen: aText, arguments: anObject }],
  denied: [{ reason: aText }, { ...by, until: oneOf('lifted') }],
  lifted: [{}, by],
  repeat: [{}, by],
  outcome: [{ text: aText }, by],
};
const replyKindForm = fieldsOf({ kind: oneOf(...Object.keys(replyFields)) });
export const replyForm: DataForm = (value) =>
  replyKindForm(value) ?? fieldsOf(...replyFields[(value as QuestionReply).kind])(value);

function findPartsMisfit(message: unknown): Misfit | undefined {
  const { parts } = message as { readonly parts?: unknown };
  const found = parts === undefined ? undefined : findPartsProblem(parts, Infinity);
  return found === undefined ? undefined : { ...found, expected: 'parts', got: parts };
}

/** The form of each kind of entry; `EntrySequence` checks how they follow each other. */
export const entryForms: Readonly<Record<RunEntry['kind'], DataForm>> = {
  conversation: fieldsOf({ id: aText, prompt: aText, ...headFields }, output),
  segment: fieldsOf({ turn: aNumber, reason: aText, messages, ...headFields }, { ...output, unbound: aNumber }),
  model: fieldsOf(
    { adapter: aText },
    { means: anything, digest: aText, output: aText, fallback: fieldsOf({ failure: aText }, { usage: usageForm }) },
  ),
  run: fieldsOf(
    { run: aText, messages },
    { output: orNull(aText), sharedSession: aText, steered: listOf(aText), ...session },
  ),
  answer: fieldsOf(
    { turn: aNumber, text: orNull(aText), toolCalls: listOf(toolCallForm), finishReason: aText },
    { usage: usageForm, native: nativeForm, sent: sentForm, lowered: loweredForm, digest: aText },
  ),
  begun: fieldsOf(call),
  outcome: fieldsOf(
    { ...call, outcome: oneOf(...outcomeKinds), message: ofRole('tool') },
    { spoke: listOf(anInteger), opened: listOf(aText), ...session },
  ),
  verdict: fieldsOf({ turn: aNumber, complete: aBoolean, feedback: aText }),
  note: fieldsOf({ turn: aNumber, about: aText, message: ofRole('user') }),
  steering: fieldsOf({ turn: aNumber, id: aText, message: ofRole('user') }),
  question: fieldsOf(
    { id: aText, ...call, about: oneOf('approval', 'unknown'), askedAt: aNumber, arguments: argumentsForm },
    { shown: aText, reason: aText },
  ),
  reply: fieldsOf({ question: aText, call: aText, reply: replyForm }),
  end: fieldsOf({ run: aText, how: aText, messages }, { problem: aText, ...session }),
};

export const entryKindForm: DataForm = formOf(
  `one of ${Object.keys(entryForms).join(', ')}`,
  (kind) => typeof kind === 'string' && Object.hasOwn(entryForms, kind),
);
