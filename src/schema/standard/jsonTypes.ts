import { isRecord } from '../../common/guards.js';
import type { JsonSchema } from '../../common/types.js';

/** Lists the types in the `type` of a schema; empty if it accepts any. */
export function listTypes({ type }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : [];
}

/** Lists the types that a schema names, by `type` or by its allowed values; empty if it names none. */
export function listNamedTypes(schema: JsonSchema): readonly string[] {
  const { type, enum: values, const: only } = schema;
  if (typeof type === 'string' || Array.isArray(type)) return listTypes(schema);
  const allowed: readonly unknown[] = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return allowed.map(getJsonType);
}

/** Returns the JSON Schema type of a plain value; `number` for integers, too. */
export function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Checks whether a value has a type of JSON Schema. */
export function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === 'object' ? isRecord(value) : getJsonType(value) === type;
}
