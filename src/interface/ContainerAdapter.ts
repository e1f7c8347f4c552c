import type { Awaitable, Constructor } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ToolPolicy } from './ToolPolicy.js';

/** Port to a DI container, which returns the instance of a class. Singletons are resolved once, when the application is created. */
export interface ContainerAdapter {
  get<T extends object>(type: Constructor<T>): Awaitable<T>;
  /**
   * Runs a handler instead of the dispatcher. For containers that build a class for each call, or whose host wraps
   * handlers. It runs within the transaction of the call, and its return value or error counts as the handler's.
   * By default, the handler runs on the instance returned by `get`.
   */
  run?(handler: ContainedHandler, params: unknown, context: CallContext): unknown;
  /** Policies checked for every call of a tool, after the declared ones. */
  readonly policies?: readonly ToolPolicy[] | undefined;
}

/** A handler about to run, as passed to its container. */
export interface ContainedHandler {
  /** The class of the instance that holds the handler. */
  readonly type: Constructor;
  /** The method; undefined for a tool created by `defineTool`. */
  readonly member: string | symbol | undefined;
  /** The class of the params; null for a tool without params, or with a schema of another library. */
  readonly paramsType: Constructor | null;
  /** The instance that `get` returned when the application was created. */
  readonly instance: object;
  /** Calls the handler with its arguments in the declared order. */
  invoke(instance: object, params: unknown): unknown;
}
