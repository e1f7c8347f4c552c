import { className, isClass, lineage } from '../common/classes.js';
import { parameterTypes } from '../common/reflect.js';
import type { Constructor } from '../common/types.js';
import { ContainerError } from '../error/infrastructureErrors.js';

/** `SupportSection → RefundService → RefundRepository`, for messages. */
export function pathText(path: readonly unknown[]): string {
  return path.map(className).join(' → ');
}

/** The circle that the last element of the path closes. */
export function circleError(path: readonly Constructor[]): ContainerError {
  const last = path.at(-1);
  const circle = path.slice(last === undefined ? 0 : path.indexOf(last));
  return new ContainerError(`the constructors need each other: ${pathText(circle)}`, {
    code: 'E402',
    place: className(path[0]),
  });
}

/** What the compiler emitted for a constructor, the nearest inherited one included; undefined where it emitted nothing. */
export function emittedParameters(type: Constructor): readonly unknown[] | undefined {
  for (const owner of lineage(type)) {
    const emitted = parameterTypes(owner);
    if (emitted !== undefined) return emitted;
    // A class that declares parameters of its own hides its base's; an implicit constructor has none.
    if (owner.length > 0) return undefined;
  }
  return [];
}

/**
 * The classes of a constructor's parameters.
 *
 * @param path how the class was reached, itself last
 * @throws ContainerError E401 when a parameter has no class
 */
export function constructorTypes(path: readonly Constructor[]): readonly Constructor[] {
  const type = path.at(-1);
  if (type === undefined) return [];
  const emitted = emittedParameters(type);
  if (emitted === undefined) {
    throw unknownParameters(path, `nothing tells the classes of the constructor parameters of ${className(type)}`);
  }
  return emitted.map((parameter, index) => {
    if (isService(parameter)) return parameter;
    throw untypedParameter(path, index, parameter);
  });
}

/** A class that a container could build; not what the compiler emits for interfaces and primitives. */
export function isService(parameter: unknown): parameter is Constructor {
  return isClass(parameter) && !builtIns.has(parameter);
}

/** The error of a parameter for which there is nothing to inject. */
export function untypedParameter(path: readonly Constructor[], index: number, parameter: unknown): ContainerError {
  const found = parameter === undefined ? 'undefined (a circular import?)' : className(parameter);
  const problem = `constructor parameter ${String(index)} of ${className(path.at(-1))} is of type ${found}, which cannot be built (an interface, a primitive, or a class of a circular file)`;
  return unknownParameters(path, problem);
}

function unknownParameters(path: readonly Constructor[], problem: string): ContainerError {
  return new ContainerError(`${problem}; reached by ${pathText(path)}`, {
    code: 'E401',
    place: className(path[0]),
    remedy:
      'Give the parameter a class as type (or, in typedi, name the service with @Inject), and compile with emitDecoratorMetadata.',
  });
}

/** Classes that the compiler emits where the source names no service. */
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
