import { sha256 } from 'toolwright/internal/light';
import { getApplicationParts, requireId, requireOptions } from 'toolwright/internal';
import { copyConversation } from './copyConversation.js';
import { recordOf } from './DurableRun.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';
import type { DurableServices } from './readHealth.js';
import { retryForms } from './optionForms.js';
import { createWrongStateError, createOtherConversationError } from './runErrors.js';
import type { RetryRunOptions } from './RunsOptions.js';
import { ENDED } from './runStates.js';

/**
 * Creates and enqueues a run that repeats an ended one in a copy of its conversation.
 *
 * @returns the id of the new run
 * @throws PromptEvaluationError E709, E738, E739, E743; PromptError E413
 */
export async function retryRun(parts: DurableServices, id: string, options: RetryRunOptions): Promise<string> {
  const { app, engine, store, traceparent } = parts;
  const { records } = store;
  requireOptions('runs.retry', options, retryForms);
  const { from, id: newId = getApplicationParts(app).services.ids() } = options;
  requireId('runs.retry', 'run', newId);
  const run = await recordOf(records, id, 'runs.retry');
  if (!ENDED.has(run.status)) throw createWrongStateError(id, `it has not ended (${run.status})`);
  // The id is the same for each repetition of the request, so that a repetition finds the earlier copy.
  const conversation = `retry-${sha256(JSON.stringify([run.tenant, id, from ?? null, newId])).slice(0, 32)}`;
  const again = { ...run, id: newId, conversation };
  const there = await records.get(newId);
  if (there === undefined) await copyConversation(store, { from: run, to: again, last: from, repeats: true });
  else if (there.conversation !== conversation) throw createOtherConversationError(there, conversation);
  const { input, messages } = run;
  const created = { id: newId, conversation, input, messages, trace: traceparent?.(conversation) ?? null };
  await changeAndEnqueue(engine, toEnqueuedJob(again), (within) => records.create(created, within));
  return newId;
}
