import type { Constructor } from '../common/types.js';
import { createCircleError, constructorTypes, isService } from './constructorPath.js';

const remedies = {
  missing: 'Put @Service() on it and compile with emitDecoratorMetadata.',
  untyped:
    'Give the parameter a class as type, or name the service with @Inject, and compile with emitDecoratorMetadata.',
};

/** An `@Inject`, as recorded by typedi. */
export interface InjectHandler {
  readonly object: object;
  readonly index?: number | undefined;
  value(container: never): unknown;
}

/** The parts of typedi's containers that are inspected. */
export interface TypediGraph {
  readonly handlers: readonly InjectHandler[];
  /** The container in use, then the global one as its fallback. */
  readonly hosts: readonly object[];
}

/**
 * Checks in advance the classes that typedi would construct for a class. typedi overflows the stack on a cycle, injects
 * `undefined` for an interface, and passes itself to constructors without metadata.
 *
 * @throws ContainerError E401, E402
 */
export function inspectGraph(graph: TypediGraph, root: Constructor): void {
  const seen = new Set<Constructor>();
  const findInjected = (type: Constructor, index: number): readonly Constructor[] | undefined => {
    const handler = graph.handlers.find((row) => isHandlerOf(row, type, index));
    return handler === undefined ? undefined : findInjectedServices(handler);
  };
  const visit = (path: readonly Constructor[]): void => {
    const type = path.at(-1);
    if (type === undefined || seen.has(type) || !isConstructed(graph, type)) return;
    for (const next of constructorTypes(path, remedies, findInjected)) {
      if (path.includes(next)) throw createCircleError([...path, next]);
      visit([...path, next]);
    }
    seen.add(type);
  };
  visit([root]);
}

/** Returns true if typedi would use the handler for the parameter. typedi considers the class and its direct parent. */
function isHandlerOf(handler: InjectHandler, type: Constructor, index: number): boolean {
  return handler.index === index && (handler.object === type || handler.object === Object.getPrototypeOf(type));
}

/** Finds the services that a handler would fetch, by a container that only records requests. */
function findInjectedServices(handler: InjectHandler): readonly Constructor[] {
  const asked: unknown[] = [];
  const standIn = { get: (identifier: unknown): void => void asked.push(identifier) };
  try {
    handler.value(standIn as never);
  } catch {
    // A handler that does more than fetch may fail here. typedi itself will run it.
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
 * Returns true if typedi would call the constructor of the class: the class is registered by type, without a factory,
 * and not constructed yet. The list of services is private to typedi; if it is missing, nothing is inspected.
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
