import { className, isClass, classChain } from '../common/classes.js';
import { parameterTypes } from '../common/reflect.js';
import type { Constructor } from '../common/types.js';
import { ContainerError } from '../error/infrastructureErrors.js';
import { takesNothing } from './takesNothing.js';

/** Formats a path for messages: `SupportSection → RefundService → RefundRepository`. */
export function formatPath(path: readonly unknown[]): string {
  return path.map(className).join(' → ');
}

/** Creates the error for a cycle, which the last element of the path closes. */
export function createCircleError(path: readonly Constructor[]): ContainerError {
  const last = path.at(-1);
  const circle = path.slice(last === undefined ? 0 : path.indexOf(last));
  return new ContainerError(`the constructors need each other: ${formatPath(circle)}`, {
    code: 'E402',
    place: className(path[0]),
  });
}

/**
 * Returns the types that the compiler emitted for a constructor or for the nearest inherited one, or undefined if it
 * emitted none.
 */
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

/**
 * Returns the classes of a constructor's parameters, for a container that relies only on emitted types.
 *
 * @param path the path that led to the class, which is last
 * @throws ContainerError E401 if a parameter has no class
 */
export function constructorTypes(path: readonly Constructor[]): readonly Constructor[] {
  const type = path.at(-1);
  if (type === undefined) return [];
  const emitted = readEmittedParameters(type);
  if (emitted === undefined) {
    throw createMissingMetadataError(path, PLAIN_REMEDY);
  }
  return emitted.map((parameter, index) => {
    if (isService(parameter)) return parameter;
    throw createUntypedParameterError(path, index, parameter, PLAIN_REMEDY);
  });
}

/**
 * Returns true if a container could build the class, and false for the classes that the compiler emits for interfaces
 * and primitives.
 */
export function isService(parameter: unknown): parameter is Constructor {
  return isClass(parameter) && !builtIns.has(parameter);
}

/** Creates the error for a parameter with a type that cannot be injected. */
export function createUntypedParameterError(
  path: readonly Constructor[],
  index: number,
  parameter: unknown,
  remedy: string,
): ContainerError {
  const found = parameter === undefined ? 'undefined (a circular import?)' : className(parameter);
  const problem = `constructor parameter ${String(index)} of ${className(path.at(-1))} is of type ${found}, which cannot be built (an interface, a primitive, or a class of a circular file)`;
  return createUnbuildableError(path, problem, remedy);
}

export function createMissingMetadataError(path: readonly Constructor[], remedy: string): ContainerError {
  const problem = `the compiler emitted no classes for the constructor parameters of ${className(path.at(-1))}`;
  return createUnbuildableError(path, problem, remedy);
}

function createUnbuildableError(path: readonly Constructor[], problem: string, remedy: string): ContainerError {
  return new ContainerError(`${problem}; reached by ${formatPath(path)}`, {
    code: 'E401',
    place: className(path[0]),
    remedy,
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
