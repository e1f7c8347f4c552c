import { isObject } from '../../common/guards.js';
import type { JsonSchema } from '../../common/types.js';
import { listNamedTypes } from './jsonTypes.js';
import { listAlternatives, listItemSchemas, listPropertySchemas } from './schemaTree.js';

/**
 * Removes each `null` that can only mean an absent optional property: strict modes make the model send every property, and have
 * no other way to omit one (docs/contract.md, 2).
 *
 * @param root the JSON Schema that the model receives
 * @param value changed in place
 */
export function dropNulls(root: JsonSchema, value: unknown): void {
  if (holdsNull(value)) dropNullsIn(root, listAlternatives(root, [root]), value);
}

/** Checks for a null anywhere in the value; most arguments have none, and need no second pass. Recursion is faster than `walkValue`. */
function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object') return false;
  return value === null || Object.values(value).some(holdsNull);
}

function dropNullsIn(root: JsonSchema, schemas: readonly JsonSchema[], value: unknown): void {
  if (!isObject(value)) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => dropNullsIn(root, listItemSchemas(root, schemas, index), item));
    return;
  }
  const owner = value as Record<string, unknown>;
  for (const [key, entry] of Object.entries(owner)) {
    const { declared, schemas: own } = listPropertySchemas(root, schemas, key);
    if (entry !== null) dropNullsIn(root, own, entry);
    else if (declared && !isRequired(schemas, key) && !own.some(takesNull)) Reflect.deleteProperty(owner, key);
  }
}

function isRequired(schemas: readonly JsonSchema[], key: string): boolean {
  return schemas.some(({ required }) => Array.isArray(required) && required.includes(key));
}

/** Checks whether a schema accepts null; schemas that it refers to are checked separately. */
function takesNull(schema: JsonSchema): boolean {
  if (['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema)) return false;
  const types = listNamedTypes(schema);
  return types.length === 0 || types.includes('null');
}
