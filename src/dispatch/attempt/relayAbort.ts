import { shared } from '../../limit/raceLimits.js';

/**
 * Aborts a controller with a signal, until the returned function is called. Not `AbortSignal.any`: in Node 20, a signal that
 * lives as long as the process keeps everything that was made from it.
 */
export function relayAbort(from: AbortSignal | undefined, to: AbortController): () => void {
  if (from === undefined) return () => undefined;
  const giveUp = (): void => {
    to.abort(from.reason);
  };
  if (from.aborted) giveUp();
  shared(from).addEventListener('abort', giveUp, { once: true });
  return () => {
    from.removeEventListener('abort', giveUp);
  };
}
