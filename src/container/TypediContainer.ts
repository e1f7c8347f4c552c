import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { className, classChain } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Constructor } from '../common/types.js';
import { ContainerError } from '../error/infrastructureErrors.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import { findArgs } from '../metadata/args/MetadataArgsStorage.js';
import { createUnbuildableError, readEmittedParameters, isService, takesNothing } from './constructorPath.js';
import { inspectGraph, type InjectHandler } from './typediGraph.js';

type Service = new (...args: unknown[]) => object;

interface TypediHost {
  has(type: Service): boolean;
  get<T>(type: new (...args: unknown[]) => T): T;
  set(service: { readonly id: Service; readonly type: Service; readonly factory?: () => object }): unknown;
}

/**
 * The part of typedi's `Container` that the adapter uses. Declared here so that the declarations compile without
 * typedi.
 */
export interface TypediContainers {
  readonly handlers: readonly InjectHandler[];
  of(id?: string): TypediHost;
}

/** Options of `fromTypedi`. */
export interface TypediOptions {
  /** Id of the container, as in `Container.of(id)`; the global container by default. */
  readonly id?: string | undefined;
}

const optionNames: OptionNames<TypediOptions> = { id: 1 };

/**
 * Lets typedi build sections and tool classes. They need no `@Service()`, because the adapter registers them; services
 * need it.
 *
 * @param container typedi's `Container` itself, which holds the handlers of `@Inject`
 * @throws ContainerError E401 (cannot be built), E402 (cycle), each with the path that led there; PromptError E413
 * @example
 * await createApplication({ prompts: [SupportDesk], container: fromTypedi(Container) });
 */
export function fromTypedi(container: TypediContainers, options: TypediOptions = {}): ContainerAdapter {
  requireOptionNames('fromTypedi', options, optionNames);
  if (!('handlers' in container)) {
    throw new ContainerError('it received an instance of a container, which does not have the handlers of @Inject', {
      code: 'E401',
      place: 'fromTypedi',
      remedy: "Pass typedi's Container itself, and the instance by its id: fromTypedi(Container, { id }).",
    });
  }
  const host = container.of(options.id);
  const graph = { handlers: container.handlers, hosts: [host, container.of()] };
  return {
    get<T extends object>(type: Constructor<T>): T {
      const key = type as unknown as new (...args: unknown[]) => T;
      if (isDecorated(type) && !graph.hosts.some((known) => known.has(key))) {
        // If the constructor takes nothing, typedi would pass it the dependencies of its base class.
        host.set(takesNothing(type) ? { id: key, type: key, factory: () => new key() } : { id: key, type: key });
      }
      inspectGraph(graph, type);
      try {
        return host.get(key);
      } catch (cause) {
        throw diagnose(host, [type], cause);
      }
    },
  };
}

/** Returns true if the class or an ancestor has a decorator of Toolwright: class tools may have subclasses. */
function isDecorated(type: Constructor): boolean {
  return classChain(type).some((owner) => findArgs(owner) !== undefined);
}

/** Finds the class that could not be built, and the path to it: the deepest parameter that typedi cannot build. */
function diagnose(host: TypediHost, path: readonly Constructor[], cause: unknown): ContainerError {
  const type = path.at(-1);
  for (const parameter of type === undefined ? [] : (readEmittedParameters(type) ?? [])) {
    if (!isService(parameter) || path.includes(parameter)) continue;
    try {
      host.get(parameter as unknown as new (...args: unknown[]) => object);
    } catch (deeper) {
      return diagnose(host, [...path, parameter], deeper);
    }
  }
  const problem = `typedi could not build ${className(type)}: ${messageOf(cause).trim()}`;
  const remedy = 'Put @Service() on the class, or register a value for it with Container.set.';
  return createUnbuildableError(path, problem, remedy, cause);
}
