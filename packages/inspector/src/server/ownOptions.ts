/**
 * Returns the options that are an object's own: a property that something has put on `Object.prototype` must not grant a permission.
 */
export function ownOptions<T extends object>(given: T): T {
  return Object.assign(Object.create(null) as T, given);
}
