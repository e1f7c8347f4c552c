import type { RunEntry, SessionDelta } from '../../../interface/RunEntry.js';
import type { ToolCall } from '../../../value/ToolCall.js';
import type { ToolOutcome } from '../../../value/ToolOutcome.js';
import { ToolResult } from '../../../value/ToolResult.js';

/** An outcome of which only its text is known. */
export function createOutcomeOf(kind: ToolOutcome['kind'], text: string): ToolOutcome {
  const success = kind === 'succeeded' || kind === 'expanded';
  return { kind, text, result: new ToolResult({ message: text, success }) };
}

export function restoreOutcome({ outcome: kind, opened, message }: RunEntry<'outcome'>): ToolOutcome {
  const { content, parts, tools } = message;
  const outcome = createOutcomeOf(kind, content);
  return { ...outcome, ...(kind === 'succeeded' ? { parts } : { opened, tools }) };
}

/** Creates the entry that records how a call ended, without empty fields. */
export function createEndEntry(
  id: string,
  call: ToolCall,
  outcome: ToolOutcome,
  { spoke, session }: { readonly spoke: readonly number[]; readonly session: SessionDelta | undefined },
): RunEntry<'outcome'> {
  const opened = outcome.kind === 'succeeded' ? undefined : outcome.opened;
  const message = createToolMessage(call, outcome);
  const ended: RunEntry<'outcome'> = { kind: 'outcome', call: id, name: call.name, outcome: outcome.kind, message };
  if (spoke.length === 0 && opened === undefined && session === undefined) return ended;
  return {
    ...ended,
    ...(spoke.length === 0 ? {} : { spoke }),
    ...(opened === undefined ? {} : { opened }),
    ...(session === undefined ? {} : { session }),
  };
}

function createToolMessage(call: ToolCall, outcome: ToolOutcome): RunEntry<'outcome'>['message'] {
  const { id: toolCallId, name } = call;
  const { text: content, result } = outcome;
  const tools = outcome.kind === 'succeeded' ? undefined : outcome.tools;
  const parts = outcome.kind === 'succeeded' ? outcome.parts : undefined;
  return {
    role: 'tool',
    toolCallId,
    name,
    content,
    ...(parts === undefined ? {} : { parts }),
    failed: !result.success,
    ...(tools === undefined || tools.added.length === 0 ? {} : { tools }),
  };
}
