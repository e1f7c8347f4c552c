import { readJson } from '../../schema/repair/readAlmostJson.js';
import type { ToolCall } from '../../value/ToolCall.js';

/**
 * Returns the call with arguments as they are read, if their JSON has a key twice: a policy or an approver would otherwise see two
 * values, of which only the last one counts. All other calls are returned as they are.
 */
export function withoutRepeatedKeys(call: ToolCall): ToolCall {
  const { arguments: given } = call;
  if (typeof given !== 'string' || readJson(given) !== undefined) return call;
  try {
    return { ...call, arguments: JSON.stringify(JSON.parse(given)) };
  } catch {
    return call;
  }
}
