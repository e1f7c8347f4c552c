import { className } from '../../common/classes.js';
import { quote } from '../../common/text.js';
import type { Constructor, JsonSchema } from '../../common/types.js';
import { report, ToolwrightError } from '../../error/ToolwrightError.js';
import type { ClassSchema, JsonSchemaRequest } from '../../interface/StandardSchema.js';
import { parserOf, readClass } from '../classReading.js';
import { classSchema } from '../jsonSchema.js';
import type { ParseOptions } from '../slowParser.js';
import { draft07 } from './draft07.js';
import { issuePath } from './issuePath.js';
import { outputShape } from './outputShape.js';

const dialects = new Map<unknown, (schema: JsonSchema) => JsonSchema>([
  ['draft-2020-12', (schema) => schema],
  ['draft-07', draft07],
]);

/**
 * A class as a Standard Schema with a JSON Schema, for any library or framework that takes one. `validate` gives an
 * instance, synchronously; `jsonSchema.input` says what it takes, by wire names, `jsonSchema.output` what the instance
 * holds, by property names. Dialects: draft-2020-12 and draft-07; asking for another one throws a ToolwrightError (E215).
 *
 * @throws PromptValidationError when the class is at fault
 * @example
 * const schema = toStandardSchema(GetOrderParams);
 * const result = schema['~standard'].validate({ orderId: '#W1' });
 * if (result.issues === undefined) result.value.orderId;
 */
export function toStandardSchema<T extends object>(type: Constructor<T>, options: ParseOptions = {}): ClassSchema<T> {
  const parser = parserOf(type, options);
  const standard: ClassSchema<T>['~standard'] = {
    version: 1,
    vendor: 'toolwright',
    validate: (value) => {
      const parsed = parser(value);
      if (parsed.ok) return { value: parsed.value as T };
      return { issues: parsed.issues.map(({ message, path }) => ({ message, path: issuePath(path, value) })) };
    },
    jsonSchema: {
      input: (request) => written(type, classSchema(readClass(type)), request),
      output: (request) => written(type, classSchema(outputShape(readClass(type, 'property'))), request),
    },
  };
  return Object.freeze({ '~standard': Object.freeze(standard) });
}

/** @throws ToolwrightError E215 */
function written(
  type: Constructor,
  schema: JsonSchema,
  request: JsonSchemaRequest | undefined,
): Record<string, unknown> {
  const write = dialects.get(request?.target);
  // A copy: what is handed out may be changed, and parts of it belong to the rules of the class.
  if (write !== undefined) return JSON.parse(JSON.stringify(write(schema))) as Record<string, unknown>;
  const details = { code: 'E215', place: className(type) } as const;
  throw new ToolwrightError(report(`no schema is written for the target ${quote(request?.target)}`, details), details);
}
