import type { Check, FieldShape } from '../../metadata/ClassShape.js';

/**
 * A factory for the default that an option sets; each call returns a fresh copy, since a handler may change its params.
 * Undefined if there is no such option: the class's own initialiser sets the default.
 */
export function freshDefault(field: FieldShape): (() => unknown) | undefined {
  const { explicitDefault } = field;
  if (explicitDefault === undefined) return undefined;
  const { value } = explicitDefault;
  return typeof value === 'object' && value !== null ? () => structuredClone(value) : () => value;
}

/**
 * The rules that the default of an absent field still has to meet. A constant default was checked at creation against
 * class-validator's rules and our own; a user's rule may read other properties, or the clock.
 */
export function rulesOfDefault({ default: published, checks, condition, conversion }: FieldShape): readonly Check[] {
  if (condition !== undefined) return [];
  return published === undefined || conversion !== undefined ? checks : checks.filter(({ hint }) => hint === undefined);
}
