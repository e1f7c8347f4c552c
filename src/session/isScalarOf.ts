import type { TypeShape } from '../metadata/ClassShape.js';

/** True for a value of a scalar type that JSON gives back as it was; false for every other type. */
export function isScalarOf(type: TypeShape, value: unknown): boolean {
  switch (type.kind) {
    case 'string':
    case 'boolean':
      return typeof value === type.kind;
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'enum':
      return (type.values as readonly unknown[]).includes(value);
    default:
      return false;
  }
}
