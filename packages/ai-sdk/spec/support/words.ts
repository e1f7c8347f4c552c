import type { Message } from 'toolwright';
import { toolNamed } from '../../../openai/spec/support/client';
import type { Desk, Happening, Place } from './conversation';

/** A model with means of its own. */
export const claude: Place = { version: 'v4', provider: 'anthropic.messages', modelId: 'claude-opus-5' };
export const older: Place = { ...claude, modelId: 'claude-opus-4-5' };
export const gpt: Place = { version: 'v4', provider: 'openai.responses', modelId: 'gpt-6' };
export const chat: Place = { ...gpt, provider: 'openai.chat' };
export const gemini: Place = { version: 'v4', provider: 'google.generative-ai', modelId: 'gemini-3' };
const places: readonly Place[] = [claude, older, gpt, chat, gemini];
export const all = places.flatMap((place) => (['v3', 'v4'] as const).map((version) => ({ ...place, version })));

export const desk: Desk = {
  offered: [toolNamed('open_sections'), toolNamed('find')],
  closed: [toolNamed('refund'), toolNamed('ship')],
};
export const many: Desk = {
  ...desk,
  closed: [...desk.closed, ...Array.from({ length: 80 }, (_, index) => toolNamed(`rare_${String(index)}`))],
};

export const says = (text: string): object => ({ type: 'text', text });
export const thinks = (text: string): object => ({ type: 'reasoning', text, bound: true });
export const calls = (toolCallId: string, toolName: string, input: object = {}): object => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});
export const user = (content: string): Happening => ({ add: { role: 'user', content } });
export const note = (content: string, rest: Partial<Extract<Message, { role: 'user' }>> = {}): Happening => ({
  add: { role: 'user', content, note: 'operator', ...rest },
});
