import type { RunEntry } from '../../../interface/RunEntry.js';
import type { Message } from '../../../value/Message.js';
import type { ToolCall } from '../../../value/ToolCall.js';
import type { ToolOutcome } from '../../../value/ToolOutcome.js';

/** The message of an answer of the model. */
export function createAssistantMessage({
  text: content,
  toolCalls,
  native,
}: Pick<RunEntry<'answer'>, 'text' | 'toolCalls' | 'native'>): Message {
  return {
    role: 'assistant',
    content,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(native === undefined ? {} : { native }),
  };
}

/** The message that answers a call. */
export function createToolMessage(call: ToolCall, outcome: ToolOutcome): Extract<Message, { readonly role: 'tool' }> {
  const { id: toolCallId, name } = call;
  const { text: content, result } = outcome;
  const tools = outcome.kind === 'succeeded' ? undefined : outcome.tools;
  const parts = outcome.kind === 'succeeded' ? outcome.parts : undefined;
  return {
    ...({ role: 'tool', toolCallId, name, content } as const),
    ...(parts === undefined ? {} : { parts }),
    failed: !result.success,
    ...(tools === undefined || tools.added.length === 0 ? {} : { tools }),
  };
}

/** The author of each note: only words of Toolwright itself may be sent with the operator's authority. */
const AUTHORS: Readonly<Record<RunEntry<'note'>['about'], 'operator' | 'application'>> = {
  limits: 'operator',
  answer: 'application',
  verdict: 'application',
};

/** The message that describes the form of the answers, after everything that was said. */
export function describeForm(content: string): Extract<Message, { readonly role: 'user' }> {
  return { role: 'user', content, note: 'operator' };
}

/** The message of a note of the run to the model. */
export function noteMessage(about: RunEntry<'note'>['about'], content: string): RunEntry<'note'>['message'] {
  return { role: 'user', content, note: AUTHORS[about] };
}
