import type { RunEntry } from '../../../interface/RunEntry.js';
import type { Message } from '../../../value/Message.js';

export function createAssistantMessage({ text: content, toolCalls, native }: RunEntry<'answer'>): Message {
  return {
    role: 'assistant',
    content,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(native === undefined ? {} : { native }),
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

export function noteMessage(about: RunEntry<'note'>['about'], content: string): RunEntry<'note'>['message'] {
  return { role: 'user', content, note: AUTHORS[about] };
}
