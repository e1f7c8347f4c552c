import { isRecord } from 'toolwright/internal/light';
import { isSchema } from 'toolwright/internal';
import type { Unusable } from './readRemoteSchema.js';

/** Anthropic refuses a request with other names of arguments. */
const LEGAL = /^[a-zA-Z0-9_.-]{1,64}$/;
/** Keywords beside which an argument cannot be renamed, because they may name it too. */
const NAMING = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'patternProperties',
];

/** A schema of arguments with legal names, and the way back. */
export interface LegalKeys {
  readonly schema: unknown;
  /** Returns arguments with the names that the server knows. */
  readonly restore: (params: unknown) => unknown;
}

/** Renames the arguments whose names a provider refuses: `filter[id]` becomes `filter_id`. */
export function makeKeysLegal(schema: unknown): LegalKeys | Unusable {
  const properties = isSchema(schema) ? schema['properties'] : undefined;
  if (!isSchema(schema) || !isSchema(properties)) return { schema, restore: (params) => params };
  const wrong = Object.keys(properties).filter((key) => !LEGAL.test(key));
  if (wrong.length === 0) return { schema, restore: (params) => params };
  const naming = NAMING.find((keyword) => schema[keyword] !== undefined);
  if (naming !== undefined)
    return { problem: `has an argument that a provider refuses by its name, and that ${naming} may name as well` };
  const taken = new Set(Object.keys(properties));
  const renamed = new Map(wrong.map((key) => [key, findFreeKey(key, taken)]));
  const rename = (key: unknown): unknown => (typeof key === 'string' ? (renamed.get(key) ?? key) : key);
  const { required } = schema;
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, inner]): [string, unknown] => [renamed.get(key) ?? key, inner]),
      ),
      ...(Array.isArray(required) ? { required: (required as readonly unknown[]).map(rename) } : {}),
    },
    restore: (params) => {
      if (!isRecord(params)) return params;
      const original = new Map([...renamed].map(([key, legal]) => [legal, key]));
      return Object.fromEntries(Object.entries(params).map(([key, value]) => [original.get(key) ?? key, value]));
    },
  };
}

/** Returns a legal name that no other argument has, and takes it. */
function findFreeKey(key: string, taken: Set<string>): string {
  const base =
    key
      .replace(/[^a-zA-Z0-9_.-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 56) || 'argument';
  let free = base;
  for (let number = 2; taken.has(free); number++) free = `${base}_${String(number)}`;
  taken.add(free);
  return free;
}
