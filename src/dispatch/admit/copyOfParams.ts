import { deepCopy } from '../../session/state/deepCopy.js';
import type { GuardedCall } from './IncomingCall.js';
import { parseArguments } from './parseArguments.js';

/**
 * The params of a call for all but its handler, so that neither sees what the other changes: a copy, or, where they cannot be
 * copied, the arguments parsed once more.
 */
export function copyOfParams({ tool, call, reading }: GuardedCall, params: unknown): unknown {
  const copied = deepCopy(params);
  if (copied !== undefined) return copied.copy;
  const parsed = parseArguments(tool.metadata, call.arguments, reading);
  return parsed.ok ? parsed.params : params;
}
