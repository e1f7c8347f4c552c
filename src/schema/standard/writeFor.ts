import { quote } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { report, ToolwrightError } from '../../error/ToolwrightError.js';
import type { JsonSchemaRequest } from '../../interface/StandardSchema.js';
import { draft07 } from './draft07.js';

const dialects = new Map<unknown, (schema: JsonSchema) => JsonSchema>([
  ['draft-2020-12', (schema) => schema],
  ['draft-07', draft07],
]);

/**
 * One of our own schemas in the dialect that is asked for. A copy: what is handed out may be changed, and parts of it belong to
 * the rules of a class.
 *
 * @param place what the schema belongs to, as the error shows it
 * @throws ToolwrightError E215
 */
export function writeFor(
  place: string,
  schema: JsonSchema,
  request: JsonSchemaRequest | undefined,
): Record<string, unknown> {
  const write = dialects.get(request?.target);
  if (write !== undefined) return JSON.parse(JSON.stringify(write(schema))) as Record<string, unknown>;
  const details = { code: 'E215', place } as const;
  throw new ToolwrightError(report(`no schema is written for the target ${quote(request?.target)}`, details), details);
}
