import { className, isClass, classChain } from '../common/classes.js';
import { parameterTypes } from '../common/reflect.js';
import type { Constructor } from '../common/types.js';
import { ContainerError } from '../error/infrastructureErrors.js';

/** Formats a path for messages: `SupportSection → RefundService → RefundRepository`. */
export function formatPath(path: readonly unknown[]): string {
  return path.map(className).join(' → ');
}

/** Creates the error for a cycle, which the last element of the path closes. */
export function createCircleError(path: readonly Constructor[]): ContainerError {
  const circle = path.slice(path.indexOf(path.at(-1) as Constructor));
  return new ContainerError(`the constructors need each other: ${formatPath(circle)}`, {
    code: 'E402',
    place: className(path[0]),
  });
}

/** Returns the types that the compiler emitted for a constructor or the nearest inherited one, or undefined. */
export function readEmittedParameters(type: Constructor): readonly unknown[] | undefined {
  const classes = classChain(type);
  for (const owner of classes) {
    const emitted = parameterTypes(owner);
    if (emitted !== undefined) return emitted;
    // An own constructor hides the constructor of the base class, even if it has no parameters.
    if (owner.length > 0) return undefined;
    if (owner !== classes.at(-1) && takesNothing(owner)) return [];
  }
  return [];
}

/** The advice of a container about constructors that it cannot call. */
interface Remedies {
  /** For a class without emitted types. */
  readonly missing: string;
  /** For a parameter without a class. */
  readonly untyped: string;
}

/**
 * Returns the classes of a constructor's parameters.
 *
 * @param path the path that led to the class, which is last
 * @param remedies by default for a container that relies only on emitted types
 * @param findInjected returns the services that a container passes in place of the emitted type
 * @throws ContainerError E401 if a parameter has no class
 */
export function constructorTypes(
  path: readonly Constructor[],
  { missing, untyped }: Remedies = { missing: PLAIN_REMEDY, untyped: PLAIN_REMEDY },
  findInjected?: (type: Constructor, index: number) => readonly Constructor[] | undefined,
): readonly Constructor[] {
  const type = path.at(-1);
  if (type === undefined) return [];
  const emitted = readEmittedParameters(type);
  if (emitted === undefined) {
    const problem = `the compiler emitted no classes for the constructor parameters of ${className(type)}`;
    throw createUnbuildableError(path, problem, missing);
  }
  return emitted.flatMap((parameter, index) => {
    const injected = findInjected?.(type, index);
    if (injected !== undefined) return injected;
    if (isService(parameter)) return [parameter];
    const found = parameter === undefined ? 'undefined (a circular import?)' : className(parameter);
    const problem = `constructor parameter ${String(index)} of ${className(type)} is of type ${found}, which cannot be built (an interface, a primitive, or a class of a circular file)`;
    throw createUnbuildableError(path, problem, untyped);
  });
}

/** Returns false for the classes that the compiler emits for interfaces and primitives, which cannot be built. */
export function isService(parameter: unknown): parameter is Constructor {
  return isClass(parameter) && !builtIns.has(parameter);
}

export function createUnbuildableError(
  path: readonly Constructor[],
  problem: string,
  remedy: string,
  cause?: unknown,
): ContainerError {
  return new ContainerError(`${problem}; reached by ${formatPath(path)}`, {
    code: 'E401',
    place: className(path[0]),
    remedy,
    cause,
  });
}

const PLAIN_REMEDY =
  'Give the parameter a class as type, put a decorator on the class, and compile with emitDecoratorMetadata; for values and interfaces, name a container that knows them in createApplication({ container }).';

/** Classes that the compiler emits for types that are not services. */
const builtIns = new Set<unknown>([
  Object,
  String,
  Number,
  Boolean,
  Array,
  Function,
  Date,
  Map,
  Set,
  Promise,
  Symbol,
  BigInt,
]);

// Comments and strings may contain anything, for instance a constructor in a comment.
const HIDDEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/**
 * Returns true if the class has its own constructor that takes no arguments and passes none on: `constructor() {
 * super(new Store()); }`. Without a decorator on the class, neither `length` nor emitted types distinguish it from an
 * implicit constructor, which passes on all arguments; only its source text does. In doubt, returns false: an extra
 * dependency is better than a missing one.
 */
export function takesNothing(type: Constructor): boolean {
  if (type.length > 0) return false;
  const text = Function.prototype.toString.call(type).replace(HIDDEN, '');
  const [own, ...others] = text.match(/(?<![\w$.#])constructor\s*\([^)]*\)/g) ?? [];
  const isOnlyClass = text.match(/(?<![\w$.#])class(?![\w$])/g)?.length === 1;
  // For a class with fields and no constructor, compilers emit `constructor() { super(...arguments); … }`.
  return (
    own !== undefined &&
    others.length === 0 &&
    isOnlyClass &&
    /^constructor\s*\(\s*\)$/.test(own) &&
    !/\bsuper\s*\(\s*\.\.\./.test(text)
  );
}
