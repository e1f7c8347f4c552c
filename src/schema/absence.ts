import type { FieldShape } from '../metadata/ClassShape.js';

/** True when a field may be left out, as far as that can be said beforehand: a condition may still demand it. */
export function mayBeAbsent({ optional, condition }: FieldShape): boolean {
  return optional || condition !== undefined;
}

/** True when `null` stands for absence. */
export function isAbsence(field: FieldShape, value: unknown): boolean {
  return value === null && !field.nullable && mayBeAbsent(field);
}
