import { ENDED } from '../evaluate/log/recordLines.js';
import type { PromptResponse } from '../evaluate/RunOptions.js';
import type { RunRecord } from '../interface/RunRecords.js';
import type { RunsParts } from './healthOf.js';
import { notAnswered } from './runFaults.js';

/**
 * Waits for the response of a run, which may be another process's.
 *
 * @throws PromptEvaluationError E740 if it ends without one, what `get` throws, or the reason of the signal
 */
export async function awaitResult(
  { changes, responses, store, work }: Pick<RunsParts, 'changes' | 'responses' | 'store' | 'work'>,
  get: () => Promise<RunRecord>,
  signal: AbortSignal | undefined,
): Promise<PromptResponse> {
  const { id, conversation } = await get();
  const watch = changes.watch(conversation, false, signal);
  const expected = responses.expect(id);
  try {
    for (;;) {
      const run = await get();
      const response = expected.response();
      if (response !== undefined) return response;
      if (run.status === 'answered') return await work.recorded(run, await store.entries(conversation));
      if (ENDED.has(run.status)) throw notAnswered(run);
      await watch.next();
    }
  } finally {
    expected.stop();
    watch.stop();
  }
}
