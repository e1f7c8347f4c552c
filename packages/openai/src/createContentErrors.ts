import { type Message, PromptEvaluationError } from 'toolwright';
import { quote } from 'toolwright/internal/light';

/** Creates the error for a part of a message that a provider does not accept. */
export type ContentErrors = (problem: string) => PromptEvaluationError;

/**
 * Creates the errors for the content of one message: with phase `request`, because they are thrown before the request.
 *
 * @param adapter the name that the error shows
 * @param index the position of the message in the conversation
 */
export function createContentErrors(adapter: string, message: Message, index: number): ContentErrors {
  const whose = message.role === 'tool' ? `, the result of ${quote(message.name)},` : '';
  return (problem) =>
    new PromptEvaluationError(`${adapter} cannot send messages[${String(index)}]${whose} ${problem}.`, {
      phase: 'request',
      code: 'E724',
      remedy: 'Send it in another form, e.g. as text, or use an adapter for a provider that accepts it.',
    });
}
