import type { Constructor } from '../common/types.js';
import { finding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { ToolPlace } from '../metadata/args/ToolMetadataArgs.js';

/**
 * Refuses the 2023 kind of decorators, whose second argument is an object with `kind`.
 * This one fault cannot wait for the builder: such a call does not say which class it decorates.
 *
 * @throws PromptValidationError E108
 */
export function requireLegacyDecorators(decorator: string, second: unknown): void {
  if (typeof second !== 'object' || second === null || !('kind' in second)) return;
  const name = 'name' in second ? String(second.name) : '';
  throw new PromptValidationError([
    finding('E108', `@${decorator} was applied as a standard decorator; Toolwright needs the experimental ones`, {
      place: name === '' ? `@${decorator}` : `@${decorator} ${name}`,
      member: name,
    }),
  ]);
}

/** The class that a member decorator's first argument belongs to: static members get the class itself. */
export function ownerOf(target: object): { readonly type: Constructor; readonly isStatic: boolean } {
  return typeof target === 'function'
    ? { type: target as Constructor, isStatic: true }
    : { type: target.constructor as Constructor, isStatic: false };
}

/** Tells a method from an accessor, a field and a static member. */
export function toolPlace(isStatic: boolean, descriptor: PropertyDescriptor | undefined): ToolPlace {
  if (isStatic) return 'static member';
  if (descriptor === undefined) return 'field';
  return typeof descriptor.value === 'function' ? 'method' : 'accessor';
}
