import type { Clock } from 'toolwright';
import { Conversation, type RunEntry, type RunStore } from 'toolwright/conversations';
import { RunLog } from 'toolwright/internal';
import type { RunRecord } from '../records/RunRecords.js';

/** Finds the end of a run in its log; undefined if it has not ended there. */
export function endOf(entries: readonly RunEntry[], run: string): RunEntry<'end'> | undefined {
  return entries.find((entry): entry is RunEntry<'end'> => entry.kind === 'end' && entry.run === run);
}

/**
 * Ends a run in its log if it has begun there, and shuts its worker out.
 *
 * @returns the earlier end of the run; undefined if it had not ended
 * @throws PromptEvaluationError E709
 */
export async function closeRun(
  store: RunStore,
  clock: Clock,
  run: RunRecord,
  how: RunEntry<'end'>['how'],
  problem: string,
): Promise<RunEntry<'end'> | undefined> {
  return endRun(await Conversation.open(store, run.conversation), clock, run.id, how, problem);
}

/** Ends a run like `closeRun`, in a conversation that is already open. */
export async function endRun(
  conversation: Conversation,
  clock: Clock,
  id: string,
  how: RunEntry<'end'>['how'],
  problem: string,
): Promise<RunEntry<'end'> | undefined> {
  const past = endOf(conversation.log.entries, id);
  if (past !== undefined) return past;
  if (conversation.state.open?.began.run !== id) return undefined;
  const log = new RunLog({ conversation, run: id, link: undefined, onUnknown: 'fail', clock });
  await log.close(how, problem, true);
  return undefined;
}
