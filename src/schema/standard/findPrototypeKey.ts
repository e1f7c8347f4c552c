import type { JsonSchema } from '../../common/types.js';
import { findPart } from '../../common/walkValue.js';
import { isPrototypeKey } from '../limits.js';
import { locateValue } from './locateValue.js';

/**
 * Finds the path of the first key that would set or replace a prototype when code assigns it: `__proto__` anywhere, `constructor`
 * and `prototype` unless the schema declares a property of that name.
 *
 * @param schema `{}` if there is none
 * @param value plain data of limited depth
 */
export function findPrototypeKey(schema: JsonSchema, value: unknown): string | undefined {
  return findPart(value, (_part, keys, holder) => {
    const key = keys[keys.length - 1];
    if (key === undefined || !isPrototypeKey(key) || Array.isArray(holder)) return undefined;
    const { declared, path } = locateValue(schema, value, keys);
    return key === '__proto__' || !declared ? path : undefined;
  });
}
