// Checks for the arguments of runs, which may come from anywhere, such as the body of a request.
import { isDate } from 'node:util/types';
import {
  aBoolean,
  aCount,
  aFunction,
  aJsonValue,
  aLimit,
  anObject,
  aNumber,
  anything,
  aSignal,
  aText,
  atLeast,
  type DataForm,
  formOf,
  isId,
  listOf,
  oneOf,
  onUnknownForm,
  type OptionForms,
  orNull,
} from 'toolwright/internal';
import type { ChatChanges, ChatPage } from '../records/ChatRecords.js';
import type { QuestionFilter, RunFilter, TenantFilter } from '../records/RunRecords.js';
import { MAX_REASON_CHARS, MAX_TITLE_CHARS } from '../limits.js';
import type { PreviewOptions } from './previewQuestion.js';
import { ALL_STATES } from './runStates.js';
import type { EventOptions, RetryRunOptions, RunsOptions, StartOptions, SteerOptions } from './RunsOptions.js';

const anId = formOf('an id, a text of at least one character', isId);
export const aDate = formOf('a valid Date', (value) => isDate(value) && !Number.isNaN(value.getTime()));
export const aDuration = atLeast(0);
/** A text of a limited length. */
const textOf = (maxChars: number): DataForm => {
  const aShortText = formOf(
    `a text of at most ${String(maxChars)} characters`,
    (value) => (value as string).length <= maxChars,
  );
  return (value) => aText(value) ?? aShortText(value);
};
export const aReason = textOf(MAX_REASON_CHARS);
export const aTitle = orNull(textOf(MAX_TITLE_CHARS));
const isNotEmpty = formOf('a list of at least one conversation', (value) => (value as readonly unknown[]).length > 0);
/** The conversations of a chat. */
export const branchesForm: DataForm = (value) => listOf(anId)(value) ?? isNotEmpty(value);

/** The options of `openRuns`, which checks the store itself. */
export const runsForms: OptionForms<RunsOptions> = {
  store: anything,
  prepare: aFunction,
  engine: anObject,
  work: formOf("true, false or 'later'", (value) => value === 'later' || typeof value === 'boolean'),
  onUnknown: onUnknownForm,
  onVersion: oneOf('continue', 'park', 'fail'),
  expireMs: aCount,
  maxTakeovers: aCount,
  concurrency: atLeast(1),
  streams: aBoolean,
  pollMs: aDuration,
  traceparent: aFunction,
};

/** The options of `runs.start`. Ids and messages are checked separately. */
export const startForms: OptionForms<StartOptions> = {
  id: anything,
  conversation: anything,
  input: aJsonValue,
  messages: anything,
};

/** The options of `runs.retry`. The id is checked separately. */
export const retryForms: OptionForms<RetryRunOptions> = { from: aCount, id: anything };

/** The options of `runs.fork`. The id is checked separately. */
export const forkForms: OptionForms<{ readonly conversation?: string | undefined }> = { conversation: anything };

/** The options of `runs.steer`. The id is checked separately. */
export const steerForms: OptionForms<SteerOptions> = { id: anything };

export const resultForms: OptionForms<Pick<EventOptions, 'signal'>> = { signal: aSignal };
export const eventForms: OptionForms<EventOptions> = { ...resultForms, after: aCount };
export const previewForms: OptionForms<PreviewOptions> = { rehearses: aBoolean, arguments: anObject };

export const runFilterForms: OptionForms<RunFilter> = {
  status: listOf(oneOf(...ALL_STATES)),
  conversation: anId,
  expiresBefore: aNumber,
  after: aCount,
  limit: aLimit,
};
export const questionFilterForms: OptionForms<QuestionFilter> = {
  question: anId,
  run: anId,
  conversation: anId,
  limit: aLimit,
};
export const tenantForms: OptionForms<TenantFilter> = { tenant: orNull(anId) };
/** The changes of a chat. */
export const chatChangesForms: OptionForms<ChatChanges> = { branches: branchesForm, title: aTitle };
export const chatPageForms: OptionForms<ChatPage> = { before: aNumber, limit: aLimit };
