import { className } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import type { ClassSchema } from '../../interface/StandardSchema.js';
import { parserOf, readClass } from '../read/classReading.js';
import { classSchema } from '../emit/jsonSchema.js';
import type { ParseOptions } from '../parse/ParseOptions.js';
import { issuePath } from './issuePath.js';
import { outputShape } from './outputShape.js';
import { writeFor } from './writeFor.js';

/**
 * Wraps a class as a Standard Schema with a JSON Schema, for any library or framework that takes one. `validate` returns an
 * instance, synchronously; `jsonSchema.input` describes its input, by wire names, `jsonSchema.output` the instance, by
 * property names. Dialects: draft-2020-12 and draft-07; any other one throws a ToolwrightError (E215).
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
      input: (request) => writeFor(className(type), classSchema(readClass(type)), request),
      output: (request) => writeFor(className(type), classSchema(outputShape(readClass(type, 'property'))), request),
    },
  };
  return Object.freeze({ '~standard': Object.freeze(standard) });
}
