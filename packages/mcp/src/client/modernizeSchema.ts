import type { JsonSchema } from 'toolwright';
import { isText } from 'toolwright/internal/light';
import { isSchema } from 'toolwright/internal';

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/**
 * Rewrites keywords of older drafts, and forms that a provider refuses, as JSON Schema 2020-12 with the same meaning. A provider
 * refuses the whole request because of one such tool. Inner schemas are not followed.
 */
export function modernizeSchema(schema: JsonSchema): JsonSchema {
  const result: Record<string, unknown> = { ...schema };
  // OpenAPI and draft 3 write `any` for a value of any type.
  if (result['type'] === 'any') delete result['type'];
  modernizeBounds(result);
  modernizeItems(result);
  modernizeRequired(result);
  const { enum: values } = result;
  if (Array.isArray(values)) result['enum'] = [...new Set<unknown>(values)];
  return result;
}

/** In draft 4, an exclusive bound was a boolean beside the bound. */
function modernizeBounds(schema: Record<string, unknown>): void {
  for (const [exclusive, inclusive] of BOUNDS) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && typeof schema[inclusive] === 'number') {
      schema[exclusive] = schema[inclusive];
      Reflect.deleteProperty(schema, inclusive);
    } else Reflect.deleteProperty(schema, exclusive);
  }
}

/** Up to draft 2019-09, `items` could be a list. OpenAI refuses lists without `items`. */
function modernizeItems(schema: Record<string, unknown>): void {
  const { items, additionalItems, type } = schema;
  if (Array.isArray(items)) {
    if (items.length > 0) schema['prefixItems'] = items;
    schema['items'] = additionalItems ?? {};
    delete schema['additionalItems'];
  }
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (isList && schema['items'] === undefined) schema['items'] = {};
}

/** In draft 3, a property itself said that it was required. */
function modernizeRequired(schema: Record<string, unknown>): void {
  const { required, properties } = schema;
  if (typeof required === 'boolean') delete schema['required'];
  const named = isSchema(properties)
    ? Object.entries(properties).flatMap(([key, inner]) => (isSchema(inner) && inner['required'] === true ? [key] : []))
    : [];
  const given: unknown = schema['required'] ?? [];
  if (!Array.isArray(given) || !given.every(isText)) return;
  if (given.length + named.length > 0) schema['required'] = [...new Set([...given, ...named])];
}
