import type { Container, ContainerInstance } from 'typedi';
import { className, isClass } from '../common/classes.js';
import { parameterTypes } from '../common/reflect.js';
import { messageOf } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { ContainerError } from '../error/infrastructureErrors.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';
import { circleError, isBuiltIn, pathText } from './constructorPath.js';

/** typedi's global `Container`, or one made with `Container.of(id)`. */
export type TypediHost = typeof Container | ContainerInstance;

/**
 * Lets typedi build the sections and tool classes. Those need no `@Service()`: the adapter registers them. Services do.
 *
 * @throws ContainerError E401 (cannot be built), E402 (circle), each with the path that led there
 * @example
 * await createApplication({ prompts: [SupportDesk], container: fromTypedi(Container) });
 */
export function fromTypedi(container: TypediHost): ContainerAdapter {
  return {
    get<T extends object>(type: Constructor<T>): T {
      // The static and the instance side of typedi have overloads that TypeScript cannot call through a union.
      const host = container as ContainerInstance;
      if (knownArgs(type) !== undefined && !host.has(keyOf(type))) host.set({ id: type, type: keyOf(type) });
      refuseUntypedParameters(container, type);
      try {
        return host.get(keyOf(type));
      } catch (cause) {
        throw diagnose(host, [type], cause);
      }
    },
  };
}

/** typedi's own words for a class. */
function keyOf<T extends object>(type: Constructor<T>): new (...args: unknown[]) => T {
  return type as unknown as new (...args: unknown[]) => T;
}

/** typedi injects `undefined` for an interface or a primitive that no `@Inject` covers. */
function refuseUntypedParameters(container: TypediHost, type: Constructor): void {
  if (!('handlers' in container)) return;
  const { handlers } = container;
  for (const [index, parameter] of (parameterTypes(type) ?? []).entries()) {
    if (isClass(parameter) && !isBuiltIn(parameter)) continue;
    if (handlers.some((handler) => handler.object === type && handler.index === index)) continue;
    const found = parameter === undefined ? 'undefined (a circular import?)' : className(parameter);
    throw new ContainerError(
      `constructor parameter ${String(index)} is of type ${found}, for which typedi would inject undefined`,
      {
        code: 'E401',
        place: className(type),
        remedy: 'Give the parameter a class as type, or name the service with @Inject(token).',
      },
    );
  }
}

/**
 * Says which class could not be built, by the path to it: typedi names none, and overflows the stack on a circle.
 * The deepest parameter that cannot be had either is the one at fault.
 */
function diagnose(container: ContainerInstance, path: readonly Constructor[], cause: unknown): ContainerError {
  const type = path.at(-1);
  for (const parameter of type === undefined ? [] : (parameterTypes(type) ?? [])) {
    if (!isClass(parameter) || isBuiltIn(parameter)) continue;
    const next = [...path, parameter];
    if (path.includes(parameter)) return circleError(next);
    try {
      container.get(keyOf(parameter));
    } catch (deeper) {
      return diagnose(container, next, deeper);
    }
  }
  return new ContainerError(
    `typedi could not build ${className(type)}: ${messageOf(cause).trim()}; reached by ${pathText(path)}`,
    {
      code: 'E401',
      place: className(path[0]),
      remedy: 'Put @Service() on the class, or register a value for it with Container.set.',
      cause,
    },
  );
}
