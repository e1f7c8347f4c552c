import { sha256 } from '../common/builtins.js';
import { sortKeys } from '../dispatch/idempotencyKey.js';
import type { DigestRequest, DispatchServices } from '../dispatch/DispatchContext.js';
import type { ToolCall } from '../value/ToolCall.js';
import { rehearseCall, rehearses, type Rehearsal } from './rehearse.js';

/**
 * Returns a digest of a rehearsal. Two rehearsals that show the same have the same digest.
 *
 * @param edited the arguments, if a person wrote them: the digest then holds only for them
 */
export function digestChanges(
  { ran, outcome: { kind, text }, changed }: Rehearsal,
  edited?: ToolCall['arguments'],
): string {
  const shown = [ran, kind, text, changed];
  return sha256(JSON.stringify(edited === undefined ? shown : [...shown, sortKeys(edited)]));
}

/**
 * Rehearses a call of a run as `runs.preview` does, and returns the digest of the rehearsal. Returns undefined if the
 * call cannot be rehearsed or the rehearsal fails: then nothing proves that the call is the one that was shown.
 */
export async function digestCall(
  services: DispatchServices,
  { call, run, isEdited }: DigestRequest,
): Promise<string | undefined> {
  const { rendered, metadata, signal, deadline } = run;
  const session = run.observer?.session;
  // A run within a call has no own session, and its calls do not wait for replies.
  if (session?.base !== run.session || rehearses(rendered, call.name) === undefined) return undefined;
  try {
    return digestChanges(
      await rehearseCall(services, rendered, call, { session, runMetadata: metadata, signal, deadline }),
      isEdited ? call.arguments : undefined,
    );
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
