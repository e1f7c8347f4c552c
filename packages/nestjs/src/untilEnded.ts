import { PromptEvaluationError } from 'toolwright';
import { report } from 'toolwright/internal/light';
import { shared } from 'toolwright/internal';

/**
 * Waits for running work, but not beyond the end of the host.
 *
 * @throws PromptEvaluationError E955, which ends the run and rolls the call back; what the work throws
 */
export async function untilEnded<T>(running: PromiseLike<T>, closing: AbortSignal): Promise<T> {
  let onEnd: () => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    onEnd = () => {
      reject(ended());
    };
  });
  shared(closing).addEventListener('abort', onEnd, { once: true });
  if (closing.aborted) onEnd();
  try {
    return await Promise.race([running, over]);
  } finally {
    closing.removeEventListener('abort', onEnd);
  }
}

function ended(): PromptEvaluationError {
  const details = { code: 'E955', place: 'ToolwrightModule' } as const;
  return new PromptEvaluationError(report('the host shut down before this had ended', details), {
    ...details,
    phase: 'tool',
  });
}
