import { sha256 } from '../common/builtins.js';
import type { DigestRequest, DispatchServices } from '../dispatch/DispatchContext.js';
import { rehearseCall, rehearses, type Rehearsal } from './rehearse.js';

/** Returns a digest of a rehearsal. Two rehearsals that show the same have the same digest. */
export function digestChanges({ ran, outcome: { kind, text }, changed }: Rehearsal): string {
  return sha256(JSON.stringify([ran, kind, text, changed]));
}

/**
 * Rehearses a call of a run as `runs.preview` does, and returns the digest of the rehearsal. Returns undefined if the
 * call cannot be rehearsed or the rehearsal fails: then nothing proves that the call is the one that was shown.
 */
export async function digestCall(
  services: DispatchServices,
  { call, run }: DigestRequest,
): Promise<string | undefined> {
  const { rendered, metadata, signal, deadline } = run;
  const session = run.observer?.session;
  // A run within a call has no own session, and its calls do not wait for replies.
  if (session?.base !== run.session || rehearses(rendered, call.name) === undefined) return undefined;
  try {
    return digestChanges(
      await rehearseCall(services, rendered, call, { session, runMetadata: metadata, signal, deadline }),
    );
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
