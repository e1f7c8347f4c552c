import type { JsonSchema } from '../../common/types.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';
import { writeFor } from '../../schema/standard/writeFor.js';

/** The arguments of a tool as a Standard Schema that describes them and validates nothing. */
export function argumentsSchema(tool: string, schema: JsonSchema): StandardSchema {
  const converter: StandardSchema['~standard']['jsonSchema']['input'] = (request) => writeFor(tool, schema, request);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: (value) => ({ value }),
      jsonSchema: { input: converter, output: converter },
    },
  };
}
