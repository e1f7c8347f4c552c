import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { CallEnded } from '../../interface/RunStore.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { ToolResult } from '../../value/ToolResult.js';

/** An outcome of which only its text is known. */
export function outcomeOf(kind: ToolOutcome['kind'], text: string): ToolOutcome {
  const success = kind === 'succeeded' || kind === 'expanded';
  return { kind, text, result: new ToolResult({ message: text, success }) };
}

/** The outcome that an entry records. */
export function recordedOutcome({ outcome: kind, message }: CallEnded): ToolOutcome {
  const { content, parts, tools } = message;
  const outcome = outcomeOf(kind, content);
  return { ...outcome, ...(kind === 'succeeded' ? { parts } : { tools }) };
}

/** The number of sections that a call opened. */
export function openedBy(outcome: ToolOutcome): number {
  if (outcome.kind !== 'expanded') return 0;
  const { error } = outcome;
  return VisibilityExpansionRequired.is(error) ? Object.keys(error.requestedOverrides).length : 0;
}
