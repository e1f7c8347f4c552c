/** The object, but with other members. Its own methods keep the object itself as `this`. */
export function changed<T extends object>(object: T, members: object): T {
  return new Proxy(object, {
    get(target, name) {
      const member: unknown =
        name in members ? (members as Record<PropertyKey, unknown>)[name] : Reflect.get(target, name);
      return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
    },
  });
}
