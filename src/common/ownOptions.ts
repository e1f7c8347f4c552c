/**
 * Returns the options that are an object's own: a property that something has put on `Object.prototype` must not grant a permission
 * or reveal a secret. An option that is not there is undefined, whatever its name.
 */
export function ownOptions<T extends object>(given: T): T {
  return Object.assign(Object.create(null) as T, given);
}
