import { resolveClass } from '../../common/classes.js';
import { isArray, isObject, isRecord } from '../../common/guards.js';
import { describeValue } from '../../common/text.js';
import { createFinding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import { keepDeclaration, type StandardDeclaration } from '../../metadata/args/standardDeclarations.js';

// Compilers pass `context.metadata` only if the symbol exists when a class is declared. Runtimes do not have it yet.
(Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata');

/** The members of a decorator's context, which may be any value in JavaScript. */
type GivenContext = Readonly<Record<'kind' | 'name' | 'metadata' | 'static' | 'private', unknown>>;

/**
 * Checks the place of a standard decorator, and keeps what it declares until the builder reads its class.
 *
 * @throws PromptValidationError E115 (not a standard decorator), E116 (a place that has no meaning)
 */
export function recordLater(
  decorator: string,
  context: unknown,
  kinds: readonly string[],
  declare: StandardDeclaration,
): void {
  if (!isStandardContext(context)) {
    const problem = `@${decorator} of toolwright/es was applied as an experimental decorator`;
    throw createError('E115', decorator, context, problem);
  }
  const { kind, name, metadata } = context;
  if (!isObject(metadata)) {
    const problem = 'the decorator got no context.metadata: its compiler is too old, or the class was declared too early';
    throw createError('E115', decorator, name, problem);
  }
  const found = [context.private === true && 'private', context.static === true && 'static', kind];
  const place = found.filter((word) => typeof word === 'string').join(' ');
  if (!kinds.includes(place)) throw createError('E116', decorator, name, `it is applied to a ${place}`);
  keepDeclaration(metadata, declare);
}

function isStandardContext(value: unknown): value is GivenContext {
  return isObject(value) && 'kind' in value && 'name' in value;
}

/**
 * Checks that a decorator was written with parentheses. Otherwise the function that it returns would replace the class or the member.
 *
 * @param second the second argument of the call with options
 * @throws PromptValidationError E312
 */
export function requireCall(decorator: string, second: unknown): void {
  if (!isStandardContext(second)) return;
  const problem = `@${decorator} was written without parentheses; it has to be called with its options`;
  throw createError('E312', decorator, second.name, problem, `Write @${decorator}({ … }).`);
}

function createError(
  code: 'E115' | 'E116' | 'E312',
  decorator: string,
  given: unknown,
  problem: string,
  remedy?: string,
): PromptValidationError {
  const member = typeof given === 'string' || typeof given === 'symbol' ? String(given) : '';
  const place = `@${decorator} ${member}`.trimEnd();
  return new PromptValidationError([createFinding(code, problem, { place, member, ...(remedy && { remedy }) })]);
}

/**
 * Splits the options of a standard decorator into a list that only `toolwright/es` knows, and the options of the experimental decorator.
 *
 * @throws PromptValidationError E312 for a list that is none
 */
export function splitList<T>(
  decorator: string,
  options: unknown,
  name: 'inject' | 'decorators',
): { readonly list: readonly T[] | undefined; readonly others: never } {
  // The experimental decorator or the builder reports options that are not an object.
  if (!isRecord(options)) return { list: undefined, others: options as never };
  const { [name]: list, ...others } = options as Readonly<Record<string, unknown>>;
  if (list === undefined || isArray(list)) return { list: list as readonly T[] | undefined, others: others as never };
  const problem = `${name}: expected a list, got ${describeValue(list)}`;
  throw createError('E312', decorator, undefined, problem, `Write ${name}: [ … ].`);
}

/** Resolves a list of classes and thunks. A class that a circular import left unset is undefined: its reader reports it. */
export function resolveClasses(list: readonly unknown[]): readonly unknown[] {
  return list.map(resolveClass);
}
