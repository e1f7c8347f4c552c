import type { InputRequest } from '@modelcontextprotocol/server';
import type { ClientCapability } from '../McpClient.js';
import { digest } from './digest.js';

/** The capability of a client that a question needs. */
export const CAPABILITY: Readonly<Record<InputRequest['method'], ClientCapability>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Makes the key of a question that has none: the same when the call runs again and asks the same. */
export function nameQuestion(position: number, request: InputRequest): string {
  return `${String(position)}-${digest(request).slice(0, 16)}`;
}
