import { checkMessages, getApplicationParts, requireId, requireOptions } from 'toolwright/internal';
import type { NewRun } from '../records/RunRecords.js';
import { changeAndEnqueue } from './changeAndEnqueue.js';
import type { DurableServices } from './readHealth.js';
import { startForms } from './optionForms.js';
import { createOtherConversationError } from './runErrors.js';
import type { StartOptions } from './RunsOptions.js';

/**
 * Creates the record of a run and enqueues the run, unless its id exists.
 *
 * @returns the new run, or the existing one
 * @throws PromptEvaluationError E709, E739 for the id of a run of another conversation; PromptError E412, E413
 */
export async function startRun(
  { app, engine, store, traceparent }: DurableServices,
  options: StartOptions,
): Promise<Pick<NewRun, 'id' | 'conversation'>> {
  requireOptions('runs.start', options, startForms);
  const { ids, partLimit } = getApplicationParts(app).services;
  const { id = ids(), conversation = ids(), input = null } = options;
  requireId('runs.start', 'run', id);
  requireId('runs.start', 'conversation', conversation);
  const messages = checkMessages('runs.start', options.messages, { partLimit });
  const run = { id, conversation, input, messages, trace: traceparent?.(conversation) ?? null };
  const job = { tenant: store.tenant, run: id, conversation };
  for (;;) {
    const created = await changeAndEnqueue(engine, job, (within) => store.records.create(run, within));
    if (created === 'created') return run;
    const there = await store.records.get(id);
    if (there === undefined) continue; // It was deleted in between.
    if (options.conversation !== undefined && there.conversation !== conversation)
      throw createOtherConversationError(there, conversation);
    return there;
  }
}
