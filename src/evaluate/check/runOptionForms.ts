// The forms of options of calls and runs, for callers without types: a wrong value would fail somewhere inside, or have no effect.
import {
  aBoolean,
  aCount,
  aFunction,
  aLimit,
  aNumber,
  anObject,
  anything,
  aSignal,
  aText,
  fieldsOf,
  formOf,
  listOf,
  oneOf,
  recordOf,
  type DataForm,
} from '../../common/dataForm.js';
import type { OptionForms, OptionNames } from '../../error/optionNames.js';
import type { Deadline } from '../../limit/Deadline.js';
import { Session } from '../../session/Session.js';
import type { HistoryOptions } from '../conversation/history/shortenHistory.js';
import type { CallOptions, EvaluateOptions } from '../RunOptions.js';

/** Of any copy of the package. */
const aDeadline = formOf(
  'a Deadline, such as Deadline.in(30_000)',
  (value) => typeof (value as Deadline | null)?.remaining === 'number',
);
/** A budget or its tracker: both have limits, and an object without them is refused by `Budget`. */
const aBudget = formOf(
  'a Budget or a BudgetTracker',
  (value) => anObject(value) === undefined && ('maxExpansions' in (value as object) || 'budget' in (value as object)),
);
const aSession = formOf('a Session', (value) => value instanceof Session);
const aTextIfAny: DataForm = (value) => (value === undefined ? undefined : aText(value));
/** The form of the option `onUnknown` of runs. */
export const onUnknownForm = oneOf('fail', 'repeat', 'ask');
const choiceForm = oneOf('auto', 'none', 'required');
const namedChoiceForm = fieldsOf({ tool: aText });
/** Also checks the choice that a function returns for a turn. */
export const toolChoiceForm: DataForm = (value) =>
  anObject(value) === undefined ? namedChoiceForm(value) : choiceForm(value);

/** The options of calls. */
export const callOptionForms: OptionForms<CallOptions> = {
  session: aSession,
  deadline: aDeadline,
  budget: aBudget,
  signal: aSignal,
  runMetadata: recordOf(aTextIfAny),
  repeatOf: aText,
  onEvent: aFunction,
};

/** The options of runs: adapter, output, messages, conversation and id have checks of their own. */
export const evaluateOptionForms: OptionForms<EvaluateOptions> = {
  ...callOptionForms,
  adapter: anything,
  output: anything,
  overridesTag: aText,
  messages: anything,
  conversation: anything,
  runId: anything,
  onUnknown: onUnknownForm,
  after: aCount,
  history: anything,
  toolChoice: (value) => (typeof value === 'function' ? undefined : toolChoiceForm(value)),
  parallelToolCalls: aBoolean,
  stopSequences: listOf(aText),
  temperature: aNumber,
  expansions: oneOf('apply', 'throw'),
  maxTurns: aLimit,
  // Numbers below 1 allow no refusal.
  maxRefusedAnswers: formOf('a number', (value) => typeof value === 'number'),
};

/** The options of a history: `app.evaluate` checks their values. */
export const historyOptionNames: OptionNames<HistoryOptions> = { maxTokens: 1, summarise: 1, spillAbove: 1 };
