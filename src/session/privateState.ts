const PRIVATE_FIELD = /(?:^|[{;}])\s*#[\w$]+\s*[=;]/m;
const known = new WeakMap<object, boolean>();

/** True for a class with private fields: they cannot be seen on an instance, but the class's own text shows them. */
export function hasPrivateState(type: unknown): boolean {
  if (typeof type !== 'function' || type === Object || type === Array) return false;
  const before = known.get(type);
  if (before !== undefined) return before;
  const base: unknown = Object.getPrototypeOf(type);
  const found = PRIVATE_FIELD.test(Function.prototype.toString.call(type)) || hasPrivateState(base);
  known.set(type, found);
  return found;
}
