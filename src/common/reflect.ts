// The only import of reflect-metadata.
import 'reflect-metadata';

/** Returns the classes that the compiler emitted for the parameters of a member or constructor, or undefined if it emitted none. */
export function parameterTypes(target: object, member?: string | symbol): readonly unknown[] | undefined {
  const types: unknown =
    member === undefined
      ? Reflect.getOwnMetadata('design:paramtypes', target)
      : Reflect.getMetadata('design:paramtypes', target, member);
  return Array.isArray(types) ? (types as readonly unknown[]) : undefined;
}

/** Returns the class that the compiler emitted for a property, or undefined if it emitted none. */
export function propertyType(prototype: object, property: string | symbol): unknown {
  return Reflect.getMetadata('design:type', prototype, property);
}

/** Returns true if the compiler emitted a type for the property, even if that type was `undefined` (a circular import). */
export function hasPropertyType(prototype: object, property: string | symbol): boolean {
  return Reflect.hasMetadata('design:type', prototype, property);
}

/** Returns the metadata that another library wrote for a property, or undefined. */
export function metadataOf(key: string, prototype: object, property?: string): unknown {
  return property === undefined ? Reflect.getMetadata(key, prototype) : Reflect.getMetadata(key, prototype, property);
}

/** Records the type of a property of a class created at run time, for which the compiler emits no metadata. */
export function setPropertyType(prototype: object, property: string, type: unknown): void {
  Reflect.defineMetadata('design:type', type, prototype, property);
}

/** Records the types of the parameters of a member or constructor, for compilers that emit none. */
export function setParameterTypes(
  target: object,
  member: string | symbol | undefined,
  types: readonly unknown[],
): void {
  if (member === undefined) Reflect.defineMetadata('design:paramtypes', types, target);
  else Reflect.defineMetadata('design:paramtypes', types, target, member);
}
