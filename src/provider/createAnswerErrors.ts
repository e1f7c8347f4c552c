import { isObject } from '../common/guards.js';
import { MAX_SHOWN_ANSWER_CHARS } from '../common/limits.js';
import { describeValue } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { redactText } from './redact.js';

/** Creates the error for an unusable answer, with the received value. */
export type AnswerErrors = (problem: string, came: unknown) => PromptEvaluationError;

/**
 * Creates the errors for the answers of one adapter: with phase `response` (E702), and with the received value,
 * shortened and without keys.
 */
export function createAnswerErrors(adapter: string): AnswerErrors {
  return (problem, came) =>
    new PromptEvaluationError(`${adapter} ${problem}: ${showReceived(came)}`, {
      phase: 'response',
      code: 'E702',
      failure: 'down',
    });
}

function showReceived(came: unknown): string {
  if (!isObject(came)) return describeValue(came);
  try {
    const text = redactText(JSON.stringify(came));
    return text.length > MAX_SHOWN_ANSWER_CHARS ? `${text.slice(0, MAX_SHOWN_ANSWER_CHARS)}…` : text;
  } catch {
    // An answer with thousands of levels can be parsed, but not stringified.
    return describeValue(came);
  }
}
