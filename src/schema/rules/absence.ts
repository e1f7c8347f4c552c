import type { FieldShape } from '../../metadata/ClassShape.js';

/** True if a field may be left out, as far as that is known in advance: a condition may still demand it. */
export function mayBeAbsent({ optional, condition }: FieldShape): boolean {
  return optional || condition !== undefined;
}

/** True if the value is a `null` that means absence. */
export function isAbsence(field: FieldShape, value: unknown): boolean {
  return value === null && !field.nullable && mayBeAbsent(field);
}
