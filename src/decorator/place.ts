// Decorators load reflect-metadata before the compiler's own metadata of the decorated class is evaluated.
import '../common/reflect.js';
import { className, isClass } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import type { Constructor } from '../common/types.js';
import { createFinding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { ToolPlace } from '../metadata/args/ToolMetadataArgs.js';

/**
 * Checks that a decorator was not called as a decorator of the 2023 standard, which passes an object with `kind`
 * second. The builder cannot report this fault, because such a call does not contain the decorated class.
 *
 * @throws PromptValidationError E108
 */
export function requireLegacyDecorators(decorator: string, second: unknown): void {
  if (!isObject(second) || !('kind' in second)) return;
  const name = 'name' in second ? String(second.name) : '';
  throw new PromptValidationError([
    createFinding('E108', `@${decorator} was applied as a standard decorator; Toolwright needs the experimental ones`, {
      place: name === '' ? `@${decorator}` : `@${decorator} ${name}`,
      member: name,
    }),
  ]);
}

/**
 * Checks that a class decorator was written with parentheses. In `@Section class X {}`, the class is passed as the
 * options and would be replaced by the return value of the decorator. The builder cannot report this fault, because the
 * class is lost.
 *
 * @throws PromptValidationError E312
 */
export function requireParentheses(decorator: string, options: unknown): void {
  const type = isPrototype(options) ? options.constructor : options;
  if (!isClass(type)) return;
  throw new PromptValidationError([
    createFinding('E312', `@${decorator} was written without parentheses; it has to be called with its options`, {
      place: className(type),
      className: className(type),
      remedy: `Write @${decorator}({ … }).`,
    }),
  ]);
}

function isPrototype(value: unknown): value is object {
  if (!isObject(value) || !Object.hasOwn(value, 'constructor')) return false;
  return (value.constructor as { prototype?: unknown } | undefined)?.prototype === value;
}

/**
 * Returns the class that a decorated member belongs to. For static members, the first argument of the decorator is the
 * class itself.
 */
export function getOwner(target: object): { readonly type: Constructor; readonly isStatic: boolean } {
  return typeof target === 'function'
    ? { type: target as Constructor, isStatic: true }
    : { type: target.constructor as Constructor, isStatic: false };
}

/** @param third the third argument of a decorator: a descriptor, the index of a parameter, or undefined for a field */
export function describeToolPlace(
  name: string | symbol,
  isStatic: boolean,
  third: PropertyDescriptor | number | undefined,
): ToolPlace {
  if (typeof third === 'number') return 'parameter';
  if (isStatic) return 'static member';
  if (name === 'constructor') return 'constructor';
  if (third === undefined) return 'field';
  return typeof third.value === 'function' ? 'method' : 'accessor';
}
