import { describeValue } from '../common/text.js';
import { createEvaluationError, type PromptEvaluationError } from './PromptError.js';

/**
 * Checks that an id is a text of at least one character. Other values could become equal when they are converted to
 * text, and one user's request would get another user's answer.
 *
 * @param place the called method, e.g. `runs.get`
 * @throws PromptEvaluationError E709
 */
export function requireId(
  place: string,
  kind: 'chat' | 'conversation' | 'message' | 'question' | 'run' | 'session' | 'user',
  id: unknown,
): asserts id is string {
  if (!isId(id)) throw createIdError(place, kind, id, '');
}

/** Like `requireId`, for the id of a tenant; null means no tenant. */
export function requireTenant(place: string, id: unknown): asserts id is string | null {
  if (id !== null && !isId(id)) throw createIdError(place, 'tenant', id, '; null means no tenant');
}

/** True for a text of at least one character. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function createIdError(place: string, kind: string, id: unknown, otherwise: string): PromptEvaluationError {
  const remedy = `Give each ${kind} a text as its id, at least one character long${otherwise}.`;
  const problem = `expected the id of a ${kind}, got ${describeValue(id)}`;
  return createEvaluationError(problem, { code: 'E709', place, remedy });
}
