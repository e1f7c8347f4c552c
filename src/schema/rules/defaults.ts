import { isObject } from '../../common/guards.js';
import type { Check, FieldShape } from '../../metadata/ClassShape.js';

/**
 * Creates a factory for the default that an option sets; each call returns a fresh copy, since a handler may change its params.
 * Returns undefined without the option: the class's own initialiser then sets the default.
 */
export function createDefaultFactory(field: FieldShape): (() => unknown) | undefined {
  const { explicitDefault } = field;
  if (explicitDefault === undefined) return undefined;
  const { value } = explicitDefault;
  return isObject(value) ? () => structuredClone(value) : () => value;
}

/**
 * Selects the rules to check for the default of an absent field. A constant default was checked at creation against
 * class-validator's rules and our own; a user's rule may read other properties, or the clock.
 */
export function selectDefaultRules({
  default: published,
  checks,
  condition,
  conversion,
}: FieldShape): readonly Check[] {
  if (condition !== undefined) return [];
  return published === undefined || conversion !== undefined ? checks : checks.filter(({ hint }) => hint === undefined);
}

/** Checks whether a field may be absent, as far as that is known in advance: a condition may still require it. */
export function mayBeAbsent({ optional, condition }: FieldShape): boolean {
  return optional || condition !== undefined;
}

/** Checks for a `null` that means absence. */
export function isAbsent(field: FieldShape, value: unknown): boolean {
  return value === null && !field.nullable && mayBeAbsent(field);
}
