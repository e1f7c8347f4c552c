import { className, isClass } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import type { Constructor } from '../common/types.js';
import { createFinding } from '../error/Finding.js';
import { PromptValidationError } from '../error/PromptError.js';
import type { ToolPlace } from '../metadata/args/ToolMetadataArgs.js';

/**
 * Refuses decorators of the 2023 standard, whose second argument is an object with `kind`.
 * The builder cannot report this fault: such a call does not contain the class that it decorates.
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
 * Refuses `@Section class X {}`, without parentheses: the class is passed as the options, and would be replaced by the return
 * value of the decorator. The builder cannot report this fault, since the class is lost.
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

/** The options as declared, or null: JavaScript may leave them out, and the builder must know that there was a decorator. */
export function nullIfAbsent<T>(options: T | undefined): T | null {
  return options ?? null;
}

/** The class that a member decorator's first argument belongs to: for static members, the argument is the class itself. */
export function getOwner(target: object): { readonly type: Constructor; readonly isStatic: boolean } {
  return typeof target === 'function'
    ? { type: target as Constructor, isStatic: true }
    : { type: target.constructor as Constructor, isStatic: false };
}

/** A decorated member; `third` is its decorator's third argument: a descriptor, a parameter's index, or undefined (field). */
export interface DecoratedMember {
  readonly name: string | symbol;
  readonly isStatic: boolean;
  readonly third: PropertyDescriptor | number | undefined;
}

/** Distinguishes a method from everything else that a decorator can be applied to. */
export function describeToolPlace({ name, isStatic, third }: DecoratedMember): ToolPlace {
  if (typeof third === 'number') return 'parameter';
  if (isStatic) return 'static member';
  if (name === 'constructor') return 'constructor';
  if (third === undefined) return 'field';
  return typeof third.value === 'function' ? 'method' : 'accessor';
}
