/** Of a declaration only: a method goes on with `(`. Semicolons may be left out. */
const PRIVATE_FIELD = /(?:^|[{;}]|\*\/)\s*#[\p{ID_Continue}$]+\s*(?:[=;}]|\/[/*]|$)/mu;
const known = new WeakMap<object, boolean>();

/** True if a class has private fields: they are invisible on an instance, but not in the source text of the class. */
export function hasPrivateState(type: unknown): boolean {
  if (typeof type !== 'function' || type === Object || type === Array) return false;
  const before = known.get(type);
  if (before !== undefined) return before;
  const base: unknown = Object.getPrototypeOf(type);
  const found = PRIVATE_FIELD.test(Function.prototype.toString.call(type)) || hasPrivateState(base);
  known.set(type, found);
  return found;
}
