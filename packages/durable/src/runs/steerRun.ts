import type { SteeringMessage } from 'toolwright/conversations';
import { checkMessages, requireId } from 'toolwright/internal';
import { recordOf } from './DurableRun.js';
import type { DurableServices } from './readHealth.js';

/**
 * Keeps a message for a run that goes on, and tells the run if this process works on it.
 *
 * @returns `late` if the run has ended, or the message has come before
 * @throws PromptEvaluationError E738, E709; PromptError E412
 */
export async function steerRun(
  { store, active }: DurableServices,
  run: string,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<'taken' | 'late'> {
  const record = await recordOf(store.records, run, 'runs.steer');
  requireId('runs.steer', 'message', id);
  const [message] = checkMessages('runs.steer', [{ role: 'user', content: text }]);
  const taken = await store.steer(record, { id, message: message as SteeringMessage['message'] });
  active.get(record)?.conversation.log.noteSteering();
  return taken;
}
