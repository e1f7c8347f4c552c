import type { OpenAI } from 'openai';
import type { OutputSchema } from '../../interface/ModelAdapter.js';
import { responseFormat } from './responseFormat.js';

/** Writes the form of the answer as a Responses request says it (docs/contract.md, 14). */
export function textFormat(output: OutputSchema): OpenAI.Responses.ResponseFormatTextJSONSchemaConfig {
  return { type: 'json_schema', ...responseFormat(output).json_schema, schema: { ...output.schema } };
}
