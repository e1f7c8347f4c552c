// The only import of reflect-metadata.
import 'reflect-metadata';

/** The classes that the compiler emitted for a member's parameters (or a constructor's); undefined when it emitted none. */
export function parameterTypes(target: object, member?: string | symbol): readonly unknown[] | undefined {
  const types: unknown =
    member === undefined
      ? Reflect.getOwnMetadata('design:paramtypes', target)
      : Reflect.getMetadata('design:paramtypes', target, member);
  return Array.isArray(types) ? (types as readonly unknown[]) : undefined;
}

/** The class that the compiler emitted for a property; undefined when it emitted none. */
export function propertyType(prototype: object, property: string | symbol): unknown {
  return Reflect.getMetadata('design:type', prototype, property);
}

/** True if the compiler emitted a type for the property, even if that type was `undefined` (a circular file). */
export function hasPropertyType(prototype: object, property: string | symbol): boolean {
  return Reflect.hasMetadata('design:type', prototype, property);
}

/** The metadata that another library wrote for a property; undefined if there is none. */
export function metadataOf(key: string, prototype: object, property?: string): unknown {
  return property === undefined ? Reflect.getMetadata(key, prototype) : Reflect.getMetadata(key, prototype, property);
}

/** Records the type of a property, for a class created at run time, for which the compiler emits no metadata. */
export function setPropertyType(prototype: object, property: string, type: unknown): void {
  Reflect.defineMetadata('design:type', type, prototype, property);
}
