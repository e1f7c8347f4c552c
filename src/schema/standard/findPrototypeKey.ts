import type { JsonSchema } from '../../common/types.js';
import { findPart } from '../../common/walkValue.js';
import { isPrototypeKey } from '../limits.js';
import { locateValue } from './locateValue.js';

/**
 * Returns the path of the first key that code which assigns it would take for a prototype: `__proto__` anywhere, `constructor` and
 * `prototype` where the schema does not declare a property of that name.
 *
 * @param schema `{}` where none is known
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
