import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { CallEnded, SessionDelta } from '../../interface/RunStore.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { ToolResult } from '../../value/ToolResult.js';
import { createToolMessage } from './createMessages.js';

/** An outcome of which only its text is known. */
export function createOutcomeOf(kind: ToolOutcome['kind'], text: string): ToolOutcome {
  const success = kind === 'succeeded' || kind === 'expanded';
  return { kind, text, result: new ToolResult({ message: text, success }) };
}

/** The outcome that an entry records. */
export function restoreOutcome({ outcome: kind, message }: CallEnded): ToolOutcome {
  const { content, parts, tools } = message;
  const outcome = createOutcomeOf(kind, content);
  return { ...outcome, ...(kind === 'succeeded' ? { parts } : { tools }) };
}

/** Creates the entry that records how a call ended, without empty fields. */
export function createEndEntry(
  id: string,
  call: ToolCall,
  outcome: ToolOutcome,
  { spoke, session }: { readonly spoke: readonly number[]; readonly session: SessionDelta | undefined },
): CallEnded {
  const opened = countOpened(outcome);
  const message = createToolMessage(call, outcome);
  const ended: CallEnded = { kind: 'outcome', call: id, name: call.name, outcome: outcome.kind, message };
  if (spoke.length === 0 && opened === 0 && session === undefined) return ended;
  return {
    ...ended,
    ...(spoke.length === 0 ? {} : { spoke }),
    ...(opened === 0 ? {} : { opened }),
    ...(session === undefined ? {} : { session }),
  };
}

/** The number of sections that a call opened. */
function countOpened(outcome: ToolOutcome): number {
  if (outcome.kind !== 'expanded') return 0;
  const { error } = outcome;
  return VisibilityExpansionRequired.is(error) ? Object.keys(error.requestedOverrides).length : 0;
}
