import { className } from '../common/classes.js';
import type { Constructor } from '../common/types.js';
import { createFinding, type Finding } from '../error/Finding.js';

/** The place of a decorator. */
interface Place {
  readonly type: Constructor;
  readonly place: string;
  readonly member?: string | undefined;
  readonly sectionPath?: string | undefined;
}

/**
 * Finds the options of a decorator that are present without a value. Decorators take literals, so such an option names
 * a class that a circular import had not loaded yet. Options that a function of the host computes may be undefined on
 * purpose.
 */
export function findLostOptions<T extends object>(
  options: T,
  names: readonly (keyof T & string)[],
  { type, place, member, sectionPath = '' }: Place,
): readonly Finding[] {
  const lost = names.filter((name) => Object.hasOwn(options, name) && options[name] === undefined);
  return lost.map((name) =>
    createFinding('E307', `the class in ${name} was undefined when it was read`, {
      place,
      className: className(type),
      member,
      placeholder: name,
      sectionPath: sectionPath === '' ? undefined : sectionPath,
    }),
  );
}
