import type { InputRequest, JsonSchemaType } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { isRecord } from 'toolwright/internal/light';

const ACTIONS = ['accept', 'decline', 'cancel'];

/** Checks the answer to a question: its form, and an accepted form against its schema. */
export function isAnswer({ method, params }: InputRequest, answer: unknown): boolean {
  if (!isRecord(answer)) return false;
  if (method === 'roots/list') return Array.isArray(answer['roots']);
  if (method === 'sampling/createMessage') return typeof answer['role'] === 'string' && isRecord(answer['content']);
  if (!ACTIONS.includes(answer['action'] as string)) return false;
  if (answer['action'] !== 'accept' || !('requestedSchema' in params)) return true;
  const { content = {} } = answer;
  return (
    isRecord(content) &&
    new AjvJsonSchemaValidator().getValidator(params.requestedSchema as JsonSchemaType)(content).valid
  );
}
