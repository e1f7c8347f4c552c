import { resolveClass } from '../../common/classes.js';
import { isArray, isObject, isRecord } from '../../common/guards.js';
import { setParameterTypes } from '../../common/reflect.js';
import { describeValue } from '../../common/text.js';
import { createFinding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import { keepDeclaration } from '../../metadata/args/standardDeclarations.js';

// Compilers pass `context.metadata` only if the symbol exists when a class is declared. Runtimes do not have it yet.
(Symbol as { metadata?: symbol }).metadata ??= Symbol.for('Symbol.metadata');

/** The context of a decorator, which may be any value in JavaScript. */
type GivenContext = Readonly<Record<'kind' | 'name' | 'metadata' | 'static' | 'private', unknown>>;

/** An experimental decorator of any kind. */
type Experimental = (target: object, member: unknown, descriptor: PropertyDescriptor | undefined) => void;

/** What a standard decorator does besides the experimental one that it applies. */
interface Adaptation {
  readonly name: string;
  /** The places that it may be applied to. */
  readonly kinds: readonly string[];
  /** The option that only the standard decorator has. */
  readonly list?: 'inject' | 'decorators';
}

/**
 * Creates a standard decorator from an experimental one, which is applied when the builder reads the class.
 *
 * @param given the arguments of the decorator; the second one is a context if the parentheses are missing
 * @param create creates the experimental decorator; the builder reports options of a wrong type
 * @throws PromptValidationError E312; when it is applied, E115 (not a standard decorator) and E116 (a wrong place)
 */
export function adaptDecorator(
  { name, kinds, list: listName }: Adaptation,
  [given, second]: readonly unknown[],
  create: (options: never) => unknown,
): (value: unknown, context: unknown) => void {
  if (isContext(second)) {
    const problem = `@${name} was written without parentheses; it has to be called with its options`;
    throw createError('E312', problem, name, second.name, `Write @${name}({ … }).`);
  }
  const { list, options } = splitOptions(name, given, listName);
  const declare = create(options as never) as Experimental;
  return (_value, context) => {
    const { kind, name: member, metadata } = checkContext(name, context, kinds);
    keepDeclaration(metadata, (type) => {
      const isClass = kind === 'class';
      const target = isClass ? type : (type.prototype as object);
      if (listName === 'inject' && list !== undefined) {
        // The class in `params` replaces the type of the first parameter.
        const hasParams =
          !isClass && isRecord(options) && (options as { readonly params?: unknown }).params !== undefined;
        const types = list.map(resolveClass);
        setParameterTypes(target, isClass ? undefined : member, hasParams ? [Object, ...types] : types);
      }
      const rules = listName === 'decorators' ? ((list ?? []) as readonly Experimental[]) : [];
      // Decorators of a member run from the last to the first.
      for (const apply of [declare, ...rules].reverse())
        if (isClass) apply(target, undefined, undefined);
        else apply(target, member, Object.getOwnPropertyDescriptor(target, member));
    });
  };
}

function splitOptions(
  name: string,
  given: unknown,
  listName: Adaptation['list'],
): { readonly list?: readonly unknown[] | undefined; readonly options: unknown } {
  if (listName === undefined || !isRecord(given)) return { options: given };
  const { [listName]: list, ...options } = given;
  if (list === undefined || isArray(list)) return { list, options };
  const problem = `${listName}: expected a list, got ${describeValue(list)}`;
  throw createError('E312', problem, name, undefined, `Write ${listName}: [ … ].`);
}

function checkContext(decorator: string, context: unknown, kinds: readonly string[]) {
  if (!isContext(context)) throw createError('E115', 'it was applied as an experimental decorator', decorator, context);
  const { kind, name, metadata } = context;
  if (!isObject(metadata))
    throw createError(
      'E115',
      'its context has no metadata: the compiler is too old, or the class was declared too early',
      decorator,
      name,
    );
  const place = `${context.private === true ? 'private ' : ''}${context.static === true ? 'static ' : ''}${String(kind)}`;
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
  remedy?: string,
): PromptValidationError {
  const member = typeof name === 'string' || typeof name === 'symbol' ? String(name) : '';
  const place = `@${decorator} ${member}`.trimEnd();
  return new PromptValidationError([createFinding(code, problem, { place, member, ...(remedy && { remedy }) })]);
}
