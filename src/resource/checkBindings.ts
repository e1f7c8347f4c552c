import { requireOptionNames } from '../error/optionNames.js';
import { className, isClass } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import { describeValue } from '../common/text.js';
import { ResourceError } from '../error/infrastructureErrors.js';

const scopes: readonly unknown[] = ['singleton', 'toolCall', 'prototype'];
const isFunction = (value: unknown): boolean => typeof value === 'function';

/** The values that the options of a binding accept. */
const kinds: Readonly<Record<string, { readonly expected: string; readonly fits: (value: unknown) => boolean }>> = {
  provide: { expected: 'a function', fits: isFunction },
  scope: { expected: "'singleton', 'toolCall' or 'prototype'", fits: (value) => scopes.includes(value) },
  eager: { expected: 'true or false', fits: (value) => typeof value === 'boolean' },
  close: { expected: 'a function', fits: isFunction },
};

/** Checks a binding: a circular import may leave a class undefined, and code without types may pass anything. */
export function assertBindable(type: unknown, options: unknown, names: object): void {
  const place = `bind(${isClass(type) ? className(type) : '…'})`;
  if (isClass(type) && isObject(options)) requireOptionNames(place, options, names);
  const problem = findTypeFault(type) ?? findOptionsFault(options);
  if (problem !== undefined) throw createBindingError(place, problem);
}

/** @param place the owner of the list; the application by default */
export function assertBindings(bindings: unknown, place = 'createApplication({ resources })'): void {
  if (!Array.isArray(bindings))
    throw createBindingError(place, `expected a list of bindings, made with bind(), got ${describeValue(bindings)}`);
  for (const [index, binding] of bindings.entries()) {
    if (isBinding(binding)) continue;
    const given = isClass(binding) ? `the class ${className(binding)}` : describeValue(binding);
    throw createBindingError(`${place}[${String(index)}]`, `expected a result of bind(), got ${given}`);
  }
}

function findTypeFault(type: unknown): string | undefined {
  if (isClass(type)) return undefined;
  const given = type === undefined ? 'undefined (a circular import?)' : describeValue(type);
  return `expected a class, got ${given}`;
}

function findOptionsFault(options: unknown): string | undefined {
  if (!isObject(options)) return `expected { value } or { provide }, got ${describeValue(options)}`;
  const given = options as Readonly<Record<string, unknown>>;
  if ('value' in given === (given['provide'] !== undefined)) return 'expected either value or provide';
  const wrong = Object.entries(kinds).find(([name, { fits }]) => given[name] !== undefined && !fits(given[name]));
  if (wrong !== undefined) return `${wrong[0]}: expected ${wrong[1].expected}, got ${describeValue(given[wrong[0]])}`;
  const idle = ('value' in given ? ['scope', 'eager'] : given['scope'] === 'prototype' ? ['eager', 'close'] : []).find(
    (name) => given[name] !== undefined,
  );
  // An option without effect would mislead its author.
  return idle && `${idle} has no effect on a ${'value' in given ? 'value' : 'prototype'}`;
}

function isBinding(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, scope, provide } = value as Readonly<Record<string, unknown>>;
  return isClass(type) && scopes.includes(scope) && isFunction(provide);
}

function createBindingError(place: string, problem: string): ResourceError {
  return new ResourceError(problem, { code: 'E912', place });
}
