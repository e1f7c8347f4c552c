import type { OpenAI } from 'openai';
import type { OutputSchema } from 'toolwright/adapters';

type ResponseFormat = OpenAI.ResponseFormatJSONSchema;

const LONGEST_NAME = 64;

/** Writes the schema of the answer in the form of a Chat Completions request (docs/contract.md, 14). */
export function responseFormat({ name, schema, strict }: OutputSchema): ResponseFormat {
  const legalName = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, LONGEST_NAME);
  return { type: 'json_schema', json_schema: { name: legalName, schema: { ...schema }, strict } };
}
