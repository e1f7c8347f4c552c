import type { FieldShape } from '../metadata/ClassShape.js';

/**
 * Gives the default of a field that has one by option, anew each time, since a handler may change what it gets.
 * Undefined when the class's own initialiser does it.
 */
export function freshDefault(field: FieldShape): (() => unknown) | undefined {
  const { explicitDefault } = field;
  if (explicitDefault === undefined) return undefined;
  const { value } = explicitDefault;
  return typeof value === 'object' && value !== null ? () => structuredClone(value) : () => value;
}
