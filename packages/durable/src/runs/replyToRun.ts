import type { QuestionReply } from 'toolwright/conversations';
import { getApplicationParts, requireId, requireReply } from 'toolwright/internal';
import { recordOf } from './DurableRun.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import type { DurableServices } from './readHealth.js';
import { isOver } from './runStates.js';

/**
 * Answers a question of a run, and enqueues the run in the same transaction if the engine takes part in it.
 *
 * @returns `late` if the question was answered before, or its run has ended or has waited for too long
 * @throws PromptEvaluationError E738, E709, E735
 */
export async function replyToRun(
  { app, changes, engine, store }: DurableServices,
  id: string,
  question: string,
  given: QuestionReply,
): Promise<'taken' | 'late'> {
  const { records } = store;
  const run = await recordOf(records, id, 'runs.reply');
  requireId('runs.reply', 'question', question);
  const reply = requireReply('runs.reply', given);
  const asked = isOver(run, getApplicationParts(app).services.clock.now()) ? await records.questions({ run: id }) : [];
  if (asked.some((open) => open.id === question)) return 'late';
  const taken = await changeAndEnqueue(engine, toEnqueuedJob(run), (within) =>
    records.reply(run, question, reply, within),
  );
  changes.notify(run);
  return taken;
}
