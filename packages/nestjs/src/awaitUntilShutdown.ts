import { PromptEvaluationError } from 'toolwright';
import { formatMessage } from 'toolwright/internal/light';
import { allowManyListeners } from 'toolwright/internal';

/**
 * Waits for running work until the host shuts down.
 *
 * @throws PromptEvaluationError E955, which ends the run and rolls the call back; the error of the work, unchanged
 */
export async function awaitUntilShutdown<T>(running: PromiseLike<T>, closing: AbortSignal): Promise<T> {
  let onEnd: () => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    onEnd = () => {
      reject(createShutdownError());
    };
  });
  allowManyListeners(closing).addEventListener('abort', onEnd, { once: true });
  if (closing.aborted) onEnd();
  try {
    return await Promise.race([running, over]);
  } finally {
    closing.removeEventListener('abort', onEnd);
  }
}

function createShutdownError(): PromptEvaluationError {
  const details = { code: 'E955', place: 'ToolwrightModule' } as const;
  return new PromptEvaluationError(formatMessage('the host shut down before this had ended', details), {
    ...details,
    phase: 'tool',
  });
}
