import type { Container, ContainerInstance } from 'typedi';
import { className } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { ContainerError } from '../error/infrastructureErrors.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';
import { emittedParameters, isService, pathText } from './constructorPath.js';
import { inspectGraph, type InjectHandlers } from './typediGraph.js';

/** typedi's global `Container`, or one made with `Container.of(id)`. */
export type TypediHost = typeof Container | ContainerInstance;

/**
 * Lets typedi build the sections and tool classes. Those need no `@Service()`: the adapter registers them. Services do.
 *
 * @param container typedi's `Container`, or an instance of it
 * @param injected typedi's `Container` again, where `container` is an instance and parameters carry `@Inject`
 * @throws ContainerError E401 (cannot be built), E402 (circle), each with the path that led there
 * @example
 * await createApplication({ prompts: [SupportDesk], container: fromTypedi(Container) });
 */
export function fromTypedi(container: TypediHost, injected?: InjectHandlers): ContainerAdapter {
  const isGlobal = 'handlers' in container;
  // The static side of typedi is a container as well; its overloads cannot be called through a union.
  const host = (isGlobal ? container.of() : container);
  const handlers = injected ?? (isGlobal ? container : undefined);
  return {
    get<T extends object>(type: Constructor<T>): T {
      const key = type as unknown as new (...args: unknown[]) => T;
      if (knownArgs(type) !== undefined && !host.has(key)) host.set({ id: type, type: key });
      inspectGraph(host, handlers, type);
      try {
        return host.get(key);
      } catch (cause) {
        throw diagnose(host, [type], cause);
      }
    },
  };
}

/** Says which class could not be built, by the path to it: the deepest parameter that cannot be had either is at fault. */
function diagnose(host: ContainerInstance, path: readonly Constructor[], cause: unknown): ContainerError {
  const type = path.at(-1);
  for (const parameter of type === undefined ? [] : (emittedParameters(type) ?? [])) {
    if (!isService(parameter) || path.includes(parameter)) continue;
    try {
      host.get(parameter as unknown as new (...args: unknown[]) => object);
    } catch (deeper) {
      return diagnose(host, [...path, parameter], deeper);
    }
  }
  const problem = `typedi could not build ${className(type)}: ${messageOf(cause).trim()}; reached by ${pathText(path)}`;
  return new ContainerError(problem, {
    code: 'E401',
    place: className(path[0]),
    remedy: 'Put @Service() on the class, or register a value for it with Container.set.',
    cause,
  });
}
