import { _, Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type JsonSchema, PromptValidationError } from 'toolwright';
import { memoize } from 'toolwright/internal/light';
import type { StandardIssue, StandardResult, StandardSchema } from 'toolwright/schema';
import { canonicalJson, readDeclaredPattern, createFinding, markComplete, MAX_ISSUES } from 'toolwright/internal';

/** Refuses an `enum` that no value matches. */
class EmptyEnum extends RangeError {}

/** Longest text of a format, in characters. */
const MAX_FORMAT_CHARS = 10_000;

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
  // One for each schema: a shared one would take the `$id` of one schema for that of another.
  const ajv = new Ajv2020({
    ...{ allErrors: true, useDefaults: true, strict: true, code: { regExp } },
    // These refuse schemas that are right, e.g. a property of several types.
    ...{ strictTypes: false, strictTuples: false, strictRequired: false, logger: false },
  });
  addFormats(ajv);
  limitFormats(ajv);
  // Ajv compares each item with each other one, and each value with each member of an enum.
  ajv.removeKeyword('uniqueItems').removeKeyword('enum');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: readonly unknown[]) => !isUnique || !hasTwins(items),
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

/** V8 cannot end the first matches of a megabyte, which take 70 to 200 ms: no text is that long, but one in base64. */
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

/** How Ajv matches patterns: as those of params classes are matched. */
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

/** Returns a test for the members of an enum, which looks a value up instead of comparing it with each of them. */
function isMemberOf(members: readonly unknown[]): (value: unknown) => boolean {
  if (members.length === 0) throw new EmptyEnum('enum must have a member');
  const scalars = new Set(members.filter((member) => typeof member !== 'object' || member === null));
  const others = new Set(members.filter((member) => !scalars.has(member)).map(writeCanonicalJson));
  return (value) =>
    typeof value === 'object' && value !== null
      ? others.size > 0 && others.has(writeCanonicalJson(value))
      : scalars.has(value);
}

/** Returns the members of an enum, as a message names them. */
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

function hasTwins(items: readonly unknown[]): boolean {
  return new Set(items.map(writeCanonicalJson)).size < items.length;
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
  const choice = keyword === 'enum' && Array.isArray(allowedValues) ? `: ${formatMembers(allowedValues)}` : '';
  return { message: `${message}${choice}`, path };
}
