import type { AiMessage, AiProviderOptions } from './AiLanguageModel.js';
import type { WrittenPrompt } from './PromptWriter.js';
import { mergeOptions } from './providerOptions.js';

/**
 * Returns the messages of a request, with marks at the ends of what later requests repeat: the prompt, and the conversation so
 * far. They are copies, since the same entries are sent again without a mark.
 */
export function markPrompt({ system, messages }: WrittenPrompt, mark: AiProviderOptions | undefined): AiMessage[] {
  const prompt = [...system, ...messages];
  // A message without text has no place for a mark, and the pieces of a paused answer stay as they were.
  const ends = [
    system.at(-1),
    messages.filter(({ role, content }) => role !== 'assistant' && content.length > 0).at(-1),
  ];
  return prompt.map((message) => {
    const isEnd = mark !== undefined && ends.includes(message);
    return isEnd ? { ...message, providerOptions: { ...mergeOptions(message.providerOptions, mark) } } : { ...message };
  });
}
