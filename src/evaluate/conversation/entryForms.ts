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
} from '../../common/dataForm.js';
import type { LogEntry, QuestionReply, StoredEntry } from '../../interface/RunStore.js';
import {
  argumentsForm,
  messageForm,
  createMessageForm,
  nativeForm,
  toolCallForm,
  usageForm,
} from '../../value/messageForm.js';
import { findPartsProblem } from '../../value/findPartsProblem.js';
import { describeValue } from '../../common/text.js';

/** The changes of a session: values of slices by their names. */
const sessionDeltaForm: DataForm = fieldsOf(
  {},
  { appended: recordOf(listOf(anything)), replaced: recordOf(listOf(anything)) },
);

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
const session = { session: sessionDeltaForm };
const output = { output: aText, form: aText };
const sentForm = fieldsOf({ messages: aText, count: aNumber }, { tools: aText, system: aText });
const loweredForm = recordOf(recordOf(fieldsOf({ strict: aBoolean }, { parameters: anObject })));
const by = { by: aText };
/** The fields of each kind of reply besides `kind`: required ones, then optional ones. */
export const replyFields: Readonly<Record<QuestionReply['kind'], Parameters<typeof fieldsOf>>> = {
  approved: [{}, { ...by, seen: aText }],
  denied: [{ reason: aText }, by],
  repeat: [{}, by],
  outcome: [{ text: aText }, by],
};
const replyKindForm = fieldsOf({ kind: oneOf(...Object.keys(replyFields)) });
/** The reply to a question. */
export const replyForm: DataForm = (value) =>
  replyKindForm(value) ?? fieldsOf(...replyFields[(value as QuestionReply).kind])(value);

function findPartsMisfit(message: unknown): Misfit | undefined {
  const { parts } = message as { readonly parts?: unknown };
  const found = parts === undefined ? undefined : findPartsProblem(parts, Infinity);
  return found === undefined ? undefined : { ...found, expected: 'parts', got: parts };
}

/** The form of each kind of entry; `EntrySequence` checks how they follow each other. */
export const entryForms: Readonly<Record<LogEntry['kind'], DataForm>> = {
  conversation: fieldsOf({ id: aText, prompt: aText, ...headFields }, output),
  segment: fieldsOf({ turn: aNumber, reason: aText, messages, ...headFields }, { ...output, unbound: aNumber }),
  model: fieldsOf({ adapter: aText }, { means: anything, digest: aText }),
  run: fieldsOf({ run: aText, messages }, { output: orNull(aText), sharedSession: aText, ...session }),
  answer: fieldsOf(
    { turn: aNumber, text: orNull(aText), toolCalls: listOf(toolCallForm), finishReason: aText },
    { usage: usageForm, native: nativeForm, sent: sentForm, lowered: loweredForm, digest: aText },
  ),
  begun: fieldsOf(call),
  outcome: fieldsOf(
    {
      ...call,
      outcome: oneOf(
        ...['succeeded', 'failed', 'rejected', 'denied', 'timed_out', 'conflicted', 'expanded', 'unknown'],
      ),
      message: ofRole('tool'),
    },
    { spoke: listOf(anInteger), opened: anInteger, ...session },
  ),
  verdict: fieldsOf({ turn: aNumber, complete: aBoolean, feedback: aText }),
  note: fieldsOf({ turn: aNumber, about: aText, message: ofRole('user') }),
  question: fieldsOf(
    { id: aText, ...call, about: oneOf('approval', 'unknown'), askedAt: aNumber, arguments: argumentsForm },
    { shown: aText },
  ),
  reply: fieldsOf({ question: aText, call: aText, reply: replyForm }),
  end: fieldsOf({ run: aText, how: aText, messages }, { problem: aText, ...session }),
};

/** One of the kinds of entries. */
export const entryKindForm: DataForm = formOf(
  `one of ${Object.keys(entryForms).join(', ')}`,
  (kind) => typeof kind === 'string' && Object.hasOwn(entryForms, kind),
);

/**
 * The format of the entries that are written: 2 has the lowered tools of requests, the digests of answers, and ids of questions. Entries of
 * format 1 may have no number.
 */
const ENTRY_VERSION = 2;

/** Returns an entry with the number of its format, as it is stored. */
export function addVersion<T extends StoredEntry>(entry: T): T {
  return entry.version === ENTRY_VERSION ? entry : { ...entry, version: ENTRY_VERSION };
}

/** Explains why the format of an entry cannot be read; undefined if it can. */
export function findVersionProblem(version: unknown): string | undefined {
  if (version === undefined || version === 1 || version === ENTRY_VERSION) return undefined;
  const newer = typeof version === 'number' && version > ENTRY_VERSION;
  return `1 and ${String(ENTRY_VERSION)} are known, got ${describeValue(version)}${newer ? '; a newer release wrote it: update this one' : ''}`;
}
