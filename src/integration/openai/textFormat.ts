import type { OpenAI } from 'openai';
import type { OutputSchema } from '../../interface/ModelAdapter.js';
import { responseFormat } from './responseFormat.js';

/** Writes the schema of the answer in the form of a Responses request (docs/contract.md, 14). */
export function textFormat(output: OutputSchema): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  return { type: 'json_schema', ...responseFormat(output).json_schema, schema: { ...output.schema } };
}
