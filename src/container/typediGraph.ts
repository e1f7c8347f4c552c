import type { Constructor } from '../common/types.js';
import { circleError, emittedParameters, isService, missingMetadata, untypedParameter } from './constructorPath.js';

const TYPEDI_REMEDY =
  'Give the parameter a class as type, or name the service with @Inject, and compile with emitDecoratorMetadata.';

/** What `@Inject` asked for, as typedi keeps it. */
export interface InjectHandler {
  readonly object: object;
  readonly index?: number | undefined;
  value(container: never): unknown;
}

/** What is known of typedi's containers. */
export interface TypediGraph {
  readonly handlers: readonly InjectHandler[];
  /** The container that builds, then the global one, which it falls back to. */
  readonly hosts: readonly object[];
}

/**
 * Walks what typedi would construct for a class, before it does: typedi overflows the stack on a circle, injects
 * `undefined` for an interface, and hands itself to constructors of which nothing is known.
 *
 * @throws ContainerError E401, E402
 */
export function inspectGraph(graph: TypediGraph, root: Constructor): void {
  const seen = new Set<Constructor>();
  const visit = (path: readonly Constructor[]): void => {
    const type = path.at(-1);
    if (type === undefined || seen.has(type) || !isConstructed(graph, type)) return;
    for (const next of parametersOf(graph, path)) {
      if (path.includes(next)) throw circleError([...path, next]);
      visit([...path, next]);
    }
    seen.add(type);
  };
  visit([root]);
}

/** The services that a constructor's parameters name, by their class or by `@Inject`. */
function parametersOf(graph: TypediGraph, path: readonly Constructor[]): readonly Constructor[] {
  const type = path.at(-1);
  if (type === undefined) return [];
  const emitted = emittedParameters(type);
  if (emitted === undefined) {
    throw missingMetadata(path, 'Put @Service() on it and compile with emitDecoratorMetadata.');
  }
  return emitted.flatMap((parameter, index) => {
    const handler = graph.handlers.find((row) => isHandlerOf(row, type, index));
    if (handler !== undefined) return injectedService(handler);
    if (isService(parameter)) return [parameter];
    throw untypedParameter(path, index, parameter, TYPEDI_REMEDY);
  });
}

/** typedi looks at the class and its direct parent. */
function isHandlerOf(handler: InjectHandler, type: Constructor, index: number): boolean {
  return handler.index === index && (handler.object === type || handler.object === Object.getPrototypeOf(type));
}

/** Asks a handler what it would fetch, with a container that only takes the question down. */
function injectedService(handler: InjectHandler): readonly Constructor[] {
  const asked: unknown[] = [];
  const standIn = { get: (identifier: unknown): void => void asked.push(identifier) };
  try {
    handler.value(standIn as never);
  } catch {
    // A handler that does more than fetch is its author's affair; typedi itself will run it.
  }
  return asked.filter(isService);
}

interface ServiceRow {
  readonly id: unknown;
  readonly type: unknown;
  readonly factory: unknown;
  readonly value: unknown;
}

/**
 * True when typedi would call the class's constructor: it is registered by type, without factory, and not made yet.
 * The list of services is private to typedi; where it is not there, nothing is looked into.
 */
function isConstructed({ hosts }: TypediGraph, type: Constructor): boolean {
  for (const host of hosts) {
    const { services } = host as { readonly services?: readonly ServiceRow[] };
    const row = services?.find(({ id }) => id === type);
    // typedi marks "no value yet" with a symbol.
    if (row !== undefined)
      return typeof row.type === 'function' && row.factory === undefined && typeof row.value === 'symbol';
  }
  return false;
}
