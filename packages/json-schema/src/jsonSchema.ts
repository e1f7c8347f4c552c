import { _, Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type JsonSchema, PromptValidationError } from 'toolwright';
import { memoize, isObject } from 'toolwright/internal/light';
import type { StandardIssue, StandardResult, StandardSchema } from 'toolwright/schema';
import { canonicalJson, readDeclaredPattern, createFinding, markComplete, MAX_ISSUES } from 'toolwright/internal';
import { MAX_FORMAT_CHARS } from './limits.js';

/** Refuses an `enum` that no value matches. */
class EmptyEnum extends RangeError {}

/** A JSON Schema with the type of its values: a Standard Schema that validates synchronously. */
export type TypedJsonSchema<T> = StandardSchema<unknown, T>;

/**
 * Declares params or a result by a JSON Schema, draft 2020-12. It can be used wherever a class or a schema of zod can: `params` and
 * `result` of `@Tool` and `defineTool`. Ajv validates values in strict mode, formats included, and fills defaults in. A keyword that
 * Ajv does not know is a finding when the application is created (docs/schemas.md).
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
  // Ajv throws for an invalid schema. Compile it while the application reads it, not while the module is loaded.
  const validator = memoize(() => compileSchema(schema));
  const read = (): JsonSchema => {
    validator();
    return structuredClone(schema);
  };
  return markComplete({
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: (value) => resultOf<T>(validator(), value),
      jsonSchema: { input: read, output: read },
    },
  });
}

function compileSchema(schema: JsonSchema): ValidateFunction {
  // One instance for each schema: a shared one would confuse schemas with the same `$id`.
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    strict: true,
    code: { regExp },
    // These options refuse valid schemas, e.g. a property of several types.
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    logger: false,
  });
  addFormats(ajv);
  limitFormats(ajv);
  // Replaced below: Ajv compares each item with each other one, and each value with each member of an enum.
  ajv.removeKeyword('uniqueItems').removeKeyword('enum');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map(writeCanonicalJson)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  });
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: isMemberOf,
    error: {
      message: 'must be equal to one of the allowed values',
      params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }`,
    },
  });
  return ajv.compile(structuredClone(schema));
}

/** Limits the length of formatted texts: V8 takes 70 to 200 ms for the first matches of a megabyte. Only base64 may be that long. */
function limitFormats(ajv: Ajv2020): void {
  const isShort = (text: string): boolean => text.length <= MAX_FORMAT_CHARS;
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format instanceof RegExp) ajv.addFormat(name, (text) => isShort(text) && format.test(text));
    else if (typeof format === 'function') ajv.addFormat(name, (text) => isShort(text) && format(text));
  }
  ajv.addFormat('byte', (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text));
}

function resultOf<T>(validate: ValidateFunction, value: unknown): StandardResult<T> {
  if (validate(value)) return { value: value as T };
  return { issues: (validate.errors ?? []).slice(0, MAX_ISSUES).map(issueOf) };
}

/** Matches patterns in Ajv as params classes do. */
const regExp = Object.assign(
  (source: string, flags: string) => {
    const pattern = new RegExp(source, flags);
    const reading = readDeclaredPattern(pattern);
    if (reading.problem !== undefined)
      throw new PromptValidationError([createFinding('E206', reading.problem, { place: 'jsonSchema' })]);
    const { test, longest } = reading;
    return { test: (text: string) => text.length <= longest && test(text), toString: () => String(pattern) };
  },
  { code: 'declaredPattern' },
);

/** Creates a test for the members of an enum that looks a value up instead of comparing it with each of them. */
function isMemberOf(members: readonly unknown[]): (value: unknown) => boolean {
  if (members.length === 0) throw new EmptyEnum('enum must have a member');
  const scalars = new Set(members.filter((member) => !isObject(member)));
  const others = new Set(members.filter((member) => !scalars.has(member)).map(writeCanonicalJson));
  return (value) => (isObject(value) ? others.size > 0 && others.has(writeCanonicalJson(value)) : scalars.has(value));
}

/** Formats the members of an enum for a message. */
function formatMembers(members: readonly unknown[]): string {
  const named = members
    .slice(0, MAX_ISSUES)
    .map((member) => (typeof member === 'string' ? member : JSON.stringify(member)));
  const more = members.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

function writeCanonicalJson(value: unknown): string {
  return canonicalJson(value, () => undefined);
}

/** Converts an error of Ajv: Ajv reports missing and excess keys at their object, an issue reports them at the key. */
function issueOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): StandardIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { missingProperty, additionalProperty, allowedValues } = params as Readonly<Record<string, unknown>>;
  if (typeof missingProperty === 'string') return { message: 'is required', path: [...path, missingProperty] };
  if (typeof additionalProperty === 'string')
    return { message: 'is not a known key', path: [...path, additionalProperty] };
  const choice = keyword === 'enum' && Array.isArray(allowedValues) ? `: ${formatMembers(allowedValues)}` : '';
  return { message: `${message}${choice}`, path };
}
