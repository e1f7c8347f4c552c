import { isRecord } from '../../common/guards.js';
import type { JsonSchema } from '../../common/types.js';

/** Lists the types that a schema names, by `type` or by its allowed values; empty if it names none. */
export function listNamedTypes({ type, enum: values, const: only }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  const allowed: readonly unknown[] = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return allowed.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value));
}

/** Checks whether a value has a type of JSON Schema. */
export function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}
