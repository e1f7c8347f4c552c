import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lazy } from '../../common/lazy.js';
import type { JsonSchema } from '../../common/types.js';
import { finding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import type { StandardIssue, StandardResult, StandardSchema } from '../../interface/StandardSchema.js';
import { canonicalJson } from '../../schema/canonicalJson.js';
import { declaredPattern } from '../../schema/pattern/declaredPattern.js';

/** A JSON Schema with the type of its values: a Standard Schema that validates synchronously. */
export type TypedJsonSchema<T> = StandardSchema<unknown, T>;

/**
 * Declares params or a result by a JSON Schema, draft 2020-12, in the same places as a class or a schema of zod: `params` and
 * `result` of `@Tool` and `defineTool`. Values are validated with Ajv in strict mode, formats included, and defaults are filled in;
 * a keyword that Ajv does not know is a finding when the application is created (docs/schemas.md).
 *
 * @typeParam T the type of the values, which the compiler cannot derive
 * @param schema plain JSON; it is copied
 * @example
 * const Weather = jsonSchema<{ city: string; days?: number }>({
 *   type: 'object',
 *   properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, default: 3 } },
 *   required: ['city'],
 *   additionalProperties: false,
 * });
 * defineTool({ name: 'forecast', description: 'Forecast for a city.', params: Weather, handler: ({ city }) => forecast(city) });
 */
export function jsonSchema<T = unknown>(schema: JsonSchema): TypedJsonSchema<T> {
  // Ajv throws for a wrong schema: while the application reads it, not while the module is loaded.
  const validator = lazy(() => compiled(schema));
  const read = (): JsonSchema => {
    validator();
    return structuredClone(schema);
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: (value) => resultOf<T>(validator(), value),
      jsonSchema: { input: read, output: read },
    },
  };
}

function compiled(schema: JsonSchema): ValidateFunction {
  // One for each schema: a shared one would take the `$id` of one schema for that of another.
  const ajv = new Ajv2020({
    ...{ allErrors: true, useDefaults: true, strict: true, code: { regExp } },
    // These refuse schemas that are right, e.g. a property of several types.
    ...{ strictTypes: false, strictTuples: false, strictRequired: false, logger: false },
  });
  addFormats(ajv);
  // Ajv compares each item with each other one.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: readonly unknown[]) => !isUnique || !hasTwins(items),
    error: { message: 'must NOT have duplicate items' },
  });
  return ajv.compile(structuredClone(schema));
}

function resultOf<T>(validate: ValidateFunction, value: unknown): StandardResult<T> {
  if (validate(value)) return { value: value as T };
  return { issues: (validate.errors ?? []).map(issueOf) };
}

/** How Ajv matches patterns: as those of params classes are matched. */
const regExp = Object.assign(
  (source: string, flags: string) => {
    const pattern = new RegExp(source, flags);
    const reading = declaredPattern(pattern);
    if (reading.problem !== undefined)
      throw new PromptValidationError([finding('E206', reading.problem, { place: 'jsonSchema' })]);
    const { test, longest } = reading;
    return { test: (text: string) => text.length <= longest && test(text), toString: () => String(pattern) };
  },
  { code: 'declaredPattern' },
);

function hasTwins(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => canonicalJson(item, () => undefined))).size < items.length;
}

/** Converts an error of Ajv: it is at the object that lacks a key or has one too many, where an issue is at the key. */
function issueOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): StandardIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, additionalProperty, allowedValues } = params as Readonly<Record<string, unknown>>;
  if (typeof missingProperty === 'string') return { message: 'is required', path: [...path, missingProperty] };
  if (typeof additionalProperty === 'string')
    return { message: 'is not a known key', path: [...path, additionalProperty] };
  const choice = keyword === 'enum' && Array.isArray(allowedValues) ? `: ${allowedValues.map(String).join(', ')}` : '';
  return { message: `${message}${choice}`, path };
}
