import { PromptEvaluationError } from 'toolwright';
import type { RunEntry, LogPosition, SharedChange } from 'toolwright/conversations';
import { messageOf, quote, formatMessage } from 'toolwright/internal/light';
import type { RunRecord } from '../../records/RunRecords.js';
import { createStoreError } from './createStoreError.js';

const GO_ON =
  'End this run and repeat nothing that it did outside; to go on, open the conversation again and read its entries.';

/** The row of a log. */
export interface LogState {
  readonly epoch: number;
  /** The process that opened it last. */
  readonly writer: string;
  /** The number of its entries. */
  readonly count: number;
}

/** Creates the error for an append that cannot be written: the epoch has changed, or entries before it are missing. */
export function createAppendError(
  { conversation, epoch, after }: LogPosition,
  entries: readonly RunEntry[],
  log: LogState,
): Error | undefined {
  const what = entries.length === 1 ? '1 entry was' : `${String(entries.length)} entries were`;
  const refused = (why: string): Error =>
    createStoreError(`${why}; ${what} not written`, { place: placeOf(conversation), remedy: GO_ON });
  if (epoch < log.epoch) {
    const epochs = `epoch ${String(log.epoch)}, and this append is of epoch ${String(epoch)}`;
    return refused(`another writer has opened the log since: ${log.writer}, ${epochs}`);
  }
  if (epoch > log.epoch) return refused(`the log was never opened with epoch ${String(epoch)}`);
  if (after > log.count) {
    return refused(`the log holds ${String(log.count)} entries, and this append is to come after ${String(after)}`);
  }
  return undefined;
}

/** Creates the error for an append to a place that has other entries. */
export function createOtherEntriesError({ conversation, after }: LogPosition): Error {
  const problem = `other entries stand after the first ${String(after)}: two of one epoch were appended, or a reply came in`;
  return createStoreError(problem, { place: placeOf(conversation), remedy: GO_ON });
}

/** Creates the error for an append to a log that does not exist. */
export function createNoLogError({ conversation }: LogPosition): Error {
  return createStoreError('there is no such log: it was deleted, or never opened', {
    place: placeOf(conversation),
    remedy: 'End this run. To begin the conversation again, open it.',
  });
}

/** Formats a conversation for messages. */
export function placeOf(conversation: string): string {
  return `conversation ${quote(conversation)}`;
}

/** Creates the error for a call with a transaction, and thus a record, that was rolled back. */
export function createNotCommittedError(conversation: string, cause: unknown): Error {
  return createStoreError(
    `the transaction of a call was not committed, and neither was its record: ${messageOf(cause)}`,
    {
      place: placeOf(conversation),
      remedy:
        'Open the conversation again, and go on: the call is repeated if its tool is `openWorld: false` or `idempotent`.',
      cause,
    },
  );
}

/** Creates the error for deleting a conversation with an open run. */
export function createOpenRunError({ id, conversation, status }: RunRecord): Error {
  const details = { code: 'E746', place: placeOf(conversation) } as const;
  const remedy = 'Cancel the run, or wait for its end, and delete the conversation then.';
  const problem = `the run ${quote(id)} has not ended (${status}), so the conversation was not deleted`;
  return new PromptEvaluationError(formatMessage(problem, { ...details, remedy }), {
    ...details,
    remedy,
    phase: 'tool',
  });
}

/** Checks that versions are consecutive whole numbers from 1 or more. @throws PromptEvaluationError E755 */
export function requireSteps(conversation: string, name: string, changes: readonly SharedChange[]): void {
  const versions = changes.map(({ version }) => version);
  const [first = 0] = versions;
  if (Number.isSafeInteger(first) && first > 0 && versions.every((version, index) => version === first + index)) return;
  throw createSessionError(
    conversation,
    name,
    `expected versions that count up from 1 or more, got ${versions.join(', ')}`,
  );
}

/** Creates the error for changes that do not continue a shared session. @param version the version that it has */
export function createVersionError(
  conversation: string,
  { name, changes }: NonNullable<LogPosition['session']>,
  version: unknown,
): Error {
  const versions = `it has version ${String(version)}, and this append has changes from version ${String(changes[0]?.version)} on`;
  return createSessionError(conversation, name, `the shared session has changed: ${versions}`);
}

function createSessionError(conversation: string, name: string, problem: string): Error {
  const place = `${placeOf(conversation)}, ${formatSessionPlace(name)}`;
  const remedy =
    'Read the changes of the session and open the conversation again: the run goes on from its record, with the new state.';
  const details = { code: 'E755', place, remedy } as const;
  const text = `${problem}; neither its entries nor its changes were written`;
  return new PromptEvaluationError(formatMessage(text, details), { ...details, phase: 'tool' });
}

/** Formats a session for messages. */
export function formatSessionPlace(name: string): string {
  return `session ${quote(name)}`;
}
