import type { TypeShape } from '../../metadata/ClassShape.js';

/** True if the type is scalar and the value belongs to it and survives JSON unchanged. */
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
