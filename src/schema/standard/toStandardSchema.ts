import { className } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import type { ClassSchema } from '../../interface/StandardSchema.js';
import { getParser, readClass } from '../read/readClass.js';
import { writeClassSchema } from '../emit/writeClassSchema.js';
import type { ParseOptions } from '../parse/ParseOptions.js';
import { parseIssuePath } from './parseIssuePath.js';
import { writeOutputShape } from './writeOutputShape.js';
import { writeForDraft } from './writeForDraft.js';

/**
 * Wraps a class as a Standard Schema with a JSON Schema, for any library or framework that accepts one. `validate` returns an
 * instance, synchronously; `jsonSchema.input` describes its input by wire names, `jsonSchema.output` the instance by property
 * names. Dialects: draft-2020-12 and draft-07; any other one throws a ToolwrightError (E215).
 *
 * @throws PromptValidationError if the class is invalid
 * @example
 * const schema = toStandardSchema(GetOrderParams);
 * const result = schema['~standard'].validate({ orderId: '#W1' });
 * if (result.issues === undefined) result.value.orderId;
 */
export function toStandardSchema<T extends object>(type: Constructor<T>, options: ParseOptions = {}): ClassSchema<T> {
  const parser = getParser(type, options);
  const standard: ClassSchema<T>['~standard'] = {
    version: 1,
    vendor: 'toolwright',
    validate: (value) => {
      const parsed = parser(value);
      if (parsed.ok) return { value: parsed.value as T };
      return { issues: parsed.issues.map(({ message, path }) => ({ message, path: parseIssuePath(path, value) })) };
    },
    jsonSchema: {
      input: (request) => writeForDraft(className(type), writeClassSchema(readClass(type)), request),
      output: (request) =>
        writeForDraft(className(type), writeClassSchema(writeOutputShape(readClass(type, 'property'))), request),
    },
  };
  return Object.freeze({ '~standard': Object.freeze(standard) });
}
