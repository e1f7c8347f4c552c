import { quote } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { createPlacedError } from '../../error/ToolwrightError.js';
import type { JsonSchemaRequest } from '../../interface/StandardSchema.js';
import { mapChildren } from '../lowering/listChildren.js';
import { isSchema } from './schemaTree.js';

const dialects = new Map<unknown, (schema: JsonSchema) => JsonSchema>([
  ['draft-2020-12', (schema) => schema],
  ['draft-07', convertToDraft07],
]);

/**
 * Writes the schema of a class or a tool in the requested dialect. Returns a copy: the caller may change it, and parts of the original
 * belong to the rules of a class.
 *
 * @param place the owner of the schema, for the error message
 * @throws ToolwrightError E215
 */
export function writeForDraft(
  place: string,
  schema: JsonSchema,
  request: JsonSchemaRequest | undefined,
): Record<string, unknown> {
  const write = dialects.get(request?.target);
  if (write !== undefined) return JSON.parse(JSON.stringify(write(schema))) as Record<string, unknown>;
  throw createPlacedError(`no schema is written for the target ${quote(request?.target)}`, { code: 'E215', place });
}

/** Keywords that hold a schema, which only schemas of others have. */
const FOREIGN_CHILDREN = ['unevaluatedProperties', 'unevaluatedItems', 'contentSchema'];

function convertToDraft07(schema: JsonSchema): JsonSchema {
  const { $ref, $defs: definitions, prefixItems, ...rest } = mapChildren(schema, convertToDraft07);
  const keywords: Record<string, unknown> = { ...rest };
  for (const keyword of FOREIGN_CHILDREN) {
    const child = keywords[keyword];
    if (isSchema(child)) keywords[keyword] = convertToDraft07(child);
  }
  if (prefixItems !== undefined) {
    // In draft 07, `items` holds a list of schemas, and `additionalItems` the schema of all further items.
    keywords['additionalItems'] = keywords['items'];
    keywords['items'] = prefixItems;
  }
  if (definitions !== undefined) keywords['definitions'] = definitions;
  if (typeof $ref !== 'string') return keywords;
  const reference = { $ref: $ref.replace(/^#\/\$defs\//, '#/definitions/') };
  // Draft 07 ignores all keywords beside a reference.
  return Object.keys(keywords).length === 0 ? reference : { allOf: [reference], ...keywords };
}
