import { isObject } from '../../common/guards.js';
import type { JsonSchema } from '../../common/types.js';
import { typesOf } from './jsonTypes.js';
import { listAlternatives, listItemSchemas, listPropertySchemas } from './schemaTree.js';

/**
 * Removes `null` where it can only mean that an optional property is absent: strict modes make the model send every
 * property, and have no other way to leave one out (docs/contract.md, 2).
 *
 * @param root the JSON Schema that the model receives
 * @param value changed in place
 */
export function dropNulls(root: JsonSchema, value: unknown): void {
  if (holdsNull(value)) visit(root, listAlternatives(root, root), value);
}

/** True if a null is anywhere in the value; most arguments hold none, and need no second pass. Recursion is faster than `walkValue`. */
function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  return value === null || Object.values(value).some(holdsNull);
}

function visit(root: JsonSchema, schemas: readonly JsonSchema[], value: unknown): void {
  if (!isObject(value)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => visit(root, listItemSchemas(root, schemas, index), item));
    return;
  }
  const owner = value as Record<string, unknown>;
  for (const [key, entry] of Object.entries(owner)) {
    const { declared, schemas: own } = listPropertySchemas(root, schemas, key);
    if (entry !== null) visit(root, own, entry);
    else if (declared && !isRequired(schemas, key) && !own.some(takesNull)) Reflect.deleteProperty(owner, key);
  }
}

function isRequired(schemas: readonly JsonSchema[], key: string): boolean {
  return schemas.some(({ required }) => Array.isArray(required) && required.includes(key));
}

/** True for a schema that null may satisfy; one that refers to others is judged by those. */
function takesNull(schema: JsonSchema): boolean {
  if (['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema)) return false;
  const types = typesOf(schema);
  return types.length === 0 || types.includes('null');
}
