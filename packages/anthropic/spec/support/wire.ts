import { isJson } from '../../../openai/spec/support/json';
import type { Wire } from '../../../openai/spec/support/Wire';
import { requestProblems } from './requestRules';

/** Anthropic's Messages. */
export const messagesWire: Wire = {
  path: '/v1/messages',
  base: '',
  isAuthorised: (headers) =>
    headers.authorization?.startsWith('Bearer ') === true && typeof headers['anthropic-version'] === 'string',
  problems: requestProblems,
  error: (message, type, code) => ({ type: 'error', error: { type, message, ...(code === null ? {} : { code }) } }),
  event: (event) => `event: ${isJson(event) ? String(event['type']) : 'message'}\ndata: ${JSON.stringify(event)}\n\n`,
  end: '',
};
