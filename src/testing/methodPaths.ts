import { isObject } from '../common/guards.js';
import { MAX_METHOD_LEVELS } from '../common/limits.js';
import { isTransactional } from '../resource/canJoinCalls.js';

/**
 * Returns true for a part of a resource with methods that belong to the resource: a table, a map or set, or a part that
 * a listed path leads through.
 */
export function isNested(value: unknown, path: string, listed: readonly string[] | undefined): value is object {
  if (!isObject(value)) return false;
  if (listed !== undefined) return listed.some((method) => method.startsWith(`${path}.`));
  return isTransactional(value) || value instanceof Map || value instanceof Set;
}

/** Lists the paths of the methods of a resource and its nested parts, such as `find` and `orders.set`. */
export function methodPaths(resource: object, path = '', level = 0): readonly string[] {
  return listMembers(resource).flatMap((name) => {
    const value = readMember(resource, name);
    if (typeof value === 'function') return [path + name];
    const isDeeper = level < MAX_METHOD_LEVELS && isNested(value, path + name, undefined);
    return isDeeper ? methodPaths(value, `${path}${name}.`, level + 1) : [];
  });
}

export function methodAt(resource: object, path: string): unknown {
  const found = path
    .split('.')
    .reduce<unknown>((value, name) => (isObject(value) ? readMember(value, name) : undefined), resource);
  return typeof found === 'function' ? found : undefined;
}

function listMembers(resource: object): readonly string[] {
  const names = new Set<string>();
  let owner: object | null = resource;
  while (owner !== null && owner !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(owner)) if (name !== 'constructor') names.add(name);
    owner = Object.getPrototypeOf(owner) as object | null;
  }
  return [...names];
}

/** Returns the value of a member, or undefined for a getter that throws. */
function readMember(resource: object, name: string): unknown {
  try {
    return Reflect.get(resource, name);
  } catch {
    return undefined;
  }
}
