import type { JsonSchema } from '../../common/types.js';
import { isOfType } from '../standard/jsonTypes.js';
import { constrainsType } from './keywords.js';
import { ANNOTATIONS } from './mergeAllOf.js';

/** Writes several types as `anyOf` with one type each and its keywords; keeps annotations outside. */
export function splitTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema['type']) || 'anyOf' in schema) return schema;
  const { type, ...others } = schema;
  const around = Object.entries(others).filter(([keyword]) => ANNOTATIONS.has(keyword) || keyword === '$defs');
  const inside = Object.entries(others).filter(([keyword]) => !ANNOTATIONS.has(keyword) && keyword !== '$defs');
  const branches = (type as readonly unknown[]).flatMap((one) => writeBranch(String(one), Object.fromEntries(inside)));
  const [only] = branches;
  return { ...(branches.length === 1 ? only : { anyOf: branches }), ...Object.fromEntries(around) };
}

/** Writes the schema for one of the types; empty if no enum value has the type. */
function writeBranch(type: string, schema: JsonSchema): readonly JsonSchema[] {
  const { enum: values, ...rules } = schema;
  const own = Object.fromEntries(Object.entries(rules).filter(([keyword]) => constrainsType(keyword, type)));
  if (!Array.isArray(values)) return [{ type, ...own }];
  const fitting = values.filter((value) => isOfType(type, value));
  if (fitting.length === 0) return [];
  return [type === 'null' ? { type } : { type, enum: fitting, ...own }];
}
