import type { JsonValue } from 'toolwright';
import type { QuestionReply } from 'toolwright/conversations';
import { getApplicationParts, requireEdit, requireId, requireReply } from 'toolwright/internal';
import type { RunRecord } from '../records/RunRecords.js';
import { recordOf } from './DurableRun.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import type { DurableServices } from './readHealth.js';
import { isOver } from './runStates.js';

/** Arguments that a person wrote in place of the model's. */
type EditedArguments = Readonly<Record<string, JsonValue>>;

/**
 * Answers a question of a run, and enqueues the run in the same transaction if the engine takes part in it.
 *
 * @returns `late` if the question was answered before, or its run has ended or has waited for too long
 * @throws PromptEvaluationError E738, E709, E735
 */
export async function replyToRun(
  services: DurableServices,
  id: string,
  question: string,
  given: QuestionReply,
): Promise<'taken' | 'late'> {
  const { app, changes, engine, store } = services;
  const { records } = store;
  const run = await recordOf(records, id, 'runs.reply');
  requireId('runs.reply', 'question', question);
  const reply = requireReply('runs.reply', given);
  const asked = isOver(run, getApplicationParts(app).services.clock.now()) ? await records.questions({ run: id }) : [];
  if (asked.some((open) => open.id === question)) return 'late';
  if (reply.kind === 'approved' && reply.arguments !== undefined)
    await checkEdit(services, run, question, reply.arguments);
  // No run waits for a denial to be lifted, so none is enqueued.
  if (reply.kind === 'lifted') return records.reply(run, question, reply);
  const taken = await changeAndEnqueue(engine, toEnqueuedJob(run), (within) =>
    records.reply(run, question, reply, within),
  );
  changes.notify(run);
  return taken;
}

/**
 * Copies arguments that a person wrote, as the log would hold them.
 *
 * @throws PromptEvaluationError E735 for anything but JSON, and for too much of it
 */
export function copyEdit(place: string, given: EditedArguments): EditedArguments {
  const reply = requireReply(place, { kind: 'approved', arguments: given });
  return (reply as { readonly arguments: EditedArguments }).arguments;
}

/** Refuses arguments that the tool of an open question refuses, so that the person can correct them at once. */
async function checkEdit(
  { app, store, work }: DurableServices,
  run: RunRecord,
  question: string,
  edited: EditedArguments,
): Promise<void> {
  const open = (await store.records.questions({ run: run.id })).find((each) => each.id === question);
  if (open?.about !== 'approval') return;
  const { logger, redaction } = getApplicationParts(app).services;
  let tools: Awaited<ReturnType<typeof work.tools>>;
  try {
    tools = await work.tools(await work.prepare(run));
  } catch (error) {
    // The worker checks them as well, and asks again.
    logger.debug(`The edited arguments of a reply to ${run.id} were not checked`, { error: redaction.redact(error) });
    return;
  }
  const tool = tools.get(open.name);
  if (tool !== undefined) requireEdit('runs.reply', tool, edited, redaction);
}
