import { className } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import { createCircleError, constructorTypes, createUnbuildableError } from './constructorPath.js';

/**
 * The default container of an application. Constructs each class once, and resolves constructor parameters, also
 * inherited ones, from emitted metadata.
 */
export class PlainContainer implements ContainerAdapter {
  /**
   * Returns the instance of a class, and builds it if necessary.
   *
   * @throws ContainerError E401 (cannot be built), E402 (cycle)
   */
  get<T extends object>(type: Constructor<T>): T {
    const known = built.get(this) ?? new Map<Constructor, object>();
    built.set(this, known);
    return resolve(known, type, []) as T;
  }
}

type Instances = Map<Constructor, object>;

// Outside the class: private members would make the types of two builds of the package incompatible.
const built = new WeakMap<PlainContainer, Instances>();

function resolve(instances: Instances, type: Constructor, reachedBy: readonly Constructor[]): object {
  const known = instances.get(type);
  if (known !== undefined) return known;
  const path = [...reachedBy, type];
  if (reachedBy.includes(type)) throw createCircleError(path);
  const parameters = constructorTypes(path).map((parameter) => resolve(instances, parameter, path));
  const instance = constructInstance(type, parameters, path);
  instances.set(type, instance);
  return instance;
}

function constructInstance(type: Constructor, parameters: readonly object[], path: readonly Constructor[]): object {
  try {
    return Reflect.construct(type, parameters) as object;
  } catch (cause) {
    const problem = `the constructor of ${className(type)} threw: ${messageOf(cause)}`;
    throw createUnbuildableError(path, problem, 'Correct the constructor; the cause is attached.', cause);
  }
}
