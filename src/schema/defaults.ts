import type { Check, FieldShape } from '../metadata/ClassShape.js';

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

/**
 * Rules that the default of an absent field still has to meet. At creation it met those of class-validator and our own, if it
 * is the same each time; a user's rule may look at the other properties, or at the clock.
 */
export function rulesOfDefault({ default: published, checks, condition, conversion }: FieldShape): readonly Check[] {
  if (condition !== undefined) return [];
  return published === undefined || conversion !== undefined ? checks : checks.filter(({ hint }) => hint === undefined);
}
