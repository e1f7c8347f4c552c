import { isRecord } from 'toolwright/internal/light';
import type { InputRequest } from './TaskInput.js';

const ACTIONS: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** Explains why an answer does not fit its question; undefined if it does. */
export function findResponseFault({ method }: InputRequest, response: unknown): string | undefined {
  if (!isRecord(response)) return 'expected an object';
  if (method === 'sampling/createMessage')
    return isRecord(response['content']) || Array.isArray(response['content'])
      ? undefined
      : 'expected a message with content';
  if (!ACTIONS.has(response['action'])) return 'expected the action accept, decline or cancel';
  return response['action'] !== 'accept' || isRecord(response['content']) ? undefined : 'expected content to accept';
}
