import type { LogEntry, LogPosition } from '../../interface/RunStore.js';
import { logFault } from './logFault.js';
import type { LogState } from './logState.js';

const GO_ON =
  'End this run and repeat nothing that it did outside; to go on, open the conversation again and read its entries.';

/** The reason why an append cannot be at its place: the epoch is another one, or entries before it are missing. */
export function appendRefused(
  { conversation, epoch, after }: LogPosition,
  entries: readonly LogEntry[],
  state: LogState,
): Error | undefined {
  const what = entries.length === 1 ? '1 entry was' : `${String(entries.length)} entries were`;
  const refused = (why: string): Error =>
    logFault(`${why}; ${what} not written`, { place: placeOf(conversation), remedy: GO_ON });
  if (epoch < state.epoch) {
    const epochs = `epoch ${String(state.epoch)}, and this append is of epoch ${String(epoch)}`;
    return refused(`another writer has opened the log since: ${state.writer}, ${epochs}`);
  }
  if (epoch > state.epoch) return refused(`the log was never opened with epoch ${String(epoch)}`);
  if (after > state.count) {
    return refused(`the log holds ${String(state.count)} entries, and this append is to come after ${String(after)}`);
  }
  return undefined;
}

/** The error of an append to a place where other entries stand. */
export function differs(conversation: string, after: number): Error {
  return logFault(
    `other entries stand after the first ${String(after)}: two of one epoch were appended, or a reply came in`,
    {
      place: placeOf(conversation),
      remedy: GO_ON,
    },
  );
}

/** The error of an append to a log that does not exist. */
export function gone({ conversation }: LogPosition): Error {
  return logFault('there is no such log: it was deleted, or never opened', {
    place: placeOf(conversation),
    remedy: 'End this run. To begin the conversation again, open it.',
  });
}

/** The error of a reply without a question. */
export function noQuestion(conversation: string, call: string): Error {
  return logFault(`there never was a question about the call ${JSON.stringify(call)}`, {
    place: placeOf(conversation),
    remedy: 'Take conversation and call from the entry of the question.',
  });
}

function placeOf(conversation: string): string {
  return `conversation ${JSON.stringify(conversation)}`;
}
