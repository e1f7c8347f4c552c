import type { JsonSchema } from '../common/types.js';
import type { SchemaOptions, SchemaTarget } from '../interface/ModelAdapter.js';
import { nullable } from './jsonSchema.js';

/** Keywords that OpenAI's strict mode takes beside the structural ones. */
const STRICT_KEYWORDS = new Set([
  'type',
  'enum',
  'const',
  'description',
  'anyOf',
  '$ref',
  'items',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
const STRICT_FORMATS = new Set(['date-time', 'date', 'email', 'uuid', 'ipv4', 'ipv6']);

/** A schema in a provider's dialect, and whether it really is in the strict mode that was asked for. */
export interface LoweredSchema {
  readonly schema: JsonSchema;
  readonly strict: boolean;
}

/** Writes a schema in the dialect of a target (runtime contract, 2). */
export function lower(schema: JsonSchema, target: SchemaTarget, options: SchemaOptions = {}): LoweredSchema {
  if (target !== 'openai' || options.strict !== true) return { schema, strict: false };
  // An open map cannot be said in strict mode; such a tool is sent as it is.
  if (hasOpenObject(schema)) return { schema, strict: false };
  return { schema: strictObject(schema), strict: true };
}

function strictObject(schema: JsonSchema): JsonSchema {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const entries = Object.entries(properties).map(([name, property]) => {
    const strict = strictSchema(property);
    return [name, required.has(name) ? strict : nullable(strict)] as const;
  });
  const definitions = schema['$defs'] as Readonly<Record<string, JsonSchema>> | undefined;
  return {
    type: 'object',
    ...(schema['description'] === undefined ? {} : { description: schema['description'] }),
    properties: Object.fromEntries(entries),
    required: Object.keys(properties),
    additionalProperties: false,
    ...(definitions === undefined
      ? {}
      : {
          $defs: Object.fromEntries(
            Object.entries(definitions).map(([name, definition]) => [name, strictSchema(definition)]),
          ),
        }),
  };
}

function strictSchema(schema: JsonSchema): JsonSchema {
  if (isType(schema, 'object')) {
    const strict = strictObject(schema);
    return Array.isArray(schema['type']) ? { ...strict, type: schema['type'] } : strict;
  }
  // A reference takes no other keyword beside it; wrapped, its description can stay.
  if ('$ref' in schema) {
    const { $ref, description } = schema;
    return description === undefined ? { $ref } : { anyOf: [{ $ref }], description };
  }
  const kept: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'items') kept['items'] = strictSchema(value as JsonSchema);
    else if (keyword === 'anyOf') kept['anyOf'] = (value as readonly JsonSchema[]).map(strictSchema);
    else if (STRICT_KEYWORDS.has(keyword) && (keyword !== 'format' || STRICT_FORMATS.has(String(value))))
      kept[keyword] = value;
    else dropped.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  if (dropped.length === 0) return kept;
  // What the dialect cannot say, the model is told in words.
  const description = typeof kept['description'] === 'string' ? `${kept['description']} ` : '';
  return { ...kept, description: `${description}(${dropped.join(', ')})` };
}

function isType(schema: JsonSchema, type: string): boolean {
  return schema['type'] === type || (Array.isArray(schema['type']) && schema['type'].includes(type));
}

function hasOpenObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if (Array.isArray(schema)) return schema.some(hasOpenObject);
  const node = schema as JsonSchema;
  if (isType(node, 'object') && node['additionalProperties'] !== false) return true;
  if ('prefixItems' in node || Object.keys(node).length === 0) return true;
  const nested = [
    node['items'],
    node['anyOf'],
    ...Object.values((node['properties'] ?? {}) as Readonly<Record<string, unknown>>),
    ...Object.values((node['$defs'] ?? {}) as Readonly<Record<string, unknown>>),
  ];
  return nested.some(hasOpenObject);
}
