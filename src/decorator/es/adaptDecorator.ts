import { resolveClass } from '../../common/classes.js';
import { isArray, isObject, isRecord } from '../../common/guards.js';
import { setParameterTypes } from '../../common/reflect.js';
import { describeValue } from '../../common/text.js';
import { createFinding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import { findRemedy } from '../../error/remedies.js';
import { keepDeclaration } from '../../metadata/args/standardDeclarations.js';

// Compilers pass `context.metadata` only if the symbol exists when a class is declared. Runtimes do not have it yet.
(Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata');

/** The context of a decorator, which may be any value in JavaScript. */
type GivenContext = Readonly<Record<'kind' | 'name' | 'metadata' | 'static' | 'private', unknown>>;

type Experimental = (target: object, member: unknown, descriptor: PropertyDescriptor | undefined) => void;

/**
 * Creates a standard decorator from an experimental one, which is applied when the builder reads the class.
 *
 * @param kinds the places that it may be applied to
 * @param given the arguments of the decorator; the second one is a context if the parentheses are missing
 * @param create creates the experimental decorator; the builder reports options of a wrong type
 * @param extra the option that only the standard decorator has, a list
 * @throws PromptValidationError E312; when it is applied, E115 (not a standard decorator) and E116 (a wrong place)
 */
export function adaptDecorator(
  decorator: string,
  kinds: readonly string[],
  [given, second]: readonly unknown[],
  create: (options: never) => unknown,
  extra?: 'inject' | 'decorators',
): (value: unknown, context: unknown) => void {
  if (isContext(second)) {
    const problem = `@${decorator} was written without parentheses; it has to be called with its options`;
    throw createError('E312', problem, decorator, second.name, `Write @${decorator}({ … }).`);
  }
  const { list, options } = splitOptions(given, extra);
  if (list !== undefined && !isArray(list)) {
    const problem = `${String(extra)}: expected a list, got ${describeValue(list)}`;
    throw createError('E312', problem, decorator, undefined, `Write ${String(extra)}: [ … ].`);
  }
  const declare = create(options as never) as Experimental;
  return (_value, context) => {
    const { kind, name, metadata } = checkContext(decorator, context, kinds);
    keepDeclaration(metadata, (type) => {
      const target = kind === 'class' ? type : (type.prototype as object);
      const member = kind === 'class' ? undefined : name;
      const rules = extra === 'decorators' ? ((list ?? []) as readonly Experimental[]) : [];
      if (extra === 'inject' && list !== undefined) {
        const types = list.map(resolveClass);
        // The class in `params` replaces the type of the first parameter.
        if (member !== undefined && isRecord(options) && options['params'] !== undefined) types.unshift(Object);
        setParameterTypes(target, member, types);
      }
      // Decorators of a member run from the last to the first.
      for (const apply of [declare, ...rules].reverse())
        apply(target, member, member === undefined ? undefined : Object.getOwnPropertyDescriptor(target, member));
    });
  };
}

/** Splits the options of a standard decorator into the list that only it has, and the options of the experimental one. */
function splitOptions(given: unknown, extra = ''): { readonly list?: unknown; readonly options: unknown } {
  if (!isRecord(given)) return { options: given };
  const { [extra]: list, ...options } = given;
  return { list, options };
}

function checkContext(decorator: string, context: unknown, kinds: readonly string[]) {
  if (!isContext(context)) throw createError('E115', 'it was applied as an experimental decorator', decorator, context);
  const { kind, name, metadata, static: isStatic, private: isPrivate } = context;
  if (!isObject(metadata)) throw createError('E115', 'its context has no metadata', decorator, name);
  const place = `${isPrivate === true ? 'private ' : ''}${isStatic === true ? 'static ' : ''}${String(kind)}`;
  if (!kinds.includes(place)) throw createError('E116', `it is applied to the ${place}`, decorator, name);
  return { kind, name: name as string | symbol, metadata };
}

function isContext(value: unknown): value is GivenContext {
  return isObject(value) && 'kind' in value && 'name' in value;
}

function createError(
  code: 'E115' | 'E116' | 'E312',
  problem: string,
  decorator: string,
  name: unknown,
  remedy = findRemedy(code),
): PromptValidationError {
  const member = typeof name === 'string' || typeof name === 'symbol' ? String(name) : '';
  const place = `@${decorator} ${member}`.trimEnd();
  return new PromptValidationError([createFinding(code, problem, { place, member, remedy })]);
}
