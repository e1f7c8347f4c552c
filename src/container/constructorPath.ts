import { className, isClass } from '../common/classes.js';
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

/**
 * The classes of a constructor's parameters.
 *
 * @param path how the class was reached, itself last
 * @throws ContainerError E401 when a parameter has no class
 */
export function constructorTypes(path: readonly Constructor[]): readonly Constructor[] {
  const type = path.at(-1);
  if (type === undefined) return [];
  const emitted = parameterTypes(type);
  if (emitted === undefined) {
    const base: unknown = Object.getPrototypeOf(type);
    if (type.length === 0) return isClass(base) && base.length > 0 ? constructorTypes([...path, base]) : [];
    throw unknownParameters(
      path,
      `${className(type)} takes ${String(type.length)} constructor arguments, and nothing tells their classes`,
    );
  }
  return emitted.map((parameter, index) => {
    if (isClass(parameter) && !isBuiltIn(parameter)) return parameter;
    const found = parameter === undefined ? 'undefined (a circular import?)' : className(parameter);
    throw unknownParameters(
      path,
      `constructor parameter ${String(index)} of ${className(type)} is of type ${found}, which cannot be built`,
    );
  });
}

function unknownParameters(path: readonly Constructor[], problem: string): ContainerError {
  return new ContainerError(`${problem}; reached by ${pathText(path)}`, {
    code: 'E401',
    place: className(path[0]),
    remedy:
      'Put a class decorator on it and compile with emitDecoratorMetadata, give each parameter a class as type, or let a container build it.',
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

export function isBuiltIn(type: unknown): boolean {
  return builtIns.has(type);
}
