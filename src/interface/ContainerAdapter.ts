import type { Awaitable, Constructor } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ToolPolicy } from './ToolPolicy.js';

/** Port to a DI container: returns the instance of a class. Singletons are resolved once, when the application is created. */
export interface ContainerAdapter {
  get<T extends object>(type: Constructor<T>): Awaitable<T>;
  /**
   * Runs a handler in place of the dispatcher: for containers that build a class for each call, or whose host wraps handlers.
   * Runs within the call's transaction; its return value or exception counts as that of the handler. By default, the handler
   * runs on the instance returned by `get`.
   */
  run?(handler: ContainedHandler, params: unknown, context: CallContext): unknown;
  /** Checked for every call of a tool, after the declared policies. */
  readonly policies?: readonly ToolPolicy[] | undefined;
}

/** A handler about to run, as passed to its container. */
export interface ContainedHandler {
  /** The class whose instance holds the handler. */
  readonly type: Constructor;
  /** The method; undefined for a tool made by `defineTool`. */
  readonly member: string | symbol | undefined;
  /** The class of the params; null for a tool without params, and for one whose params a schema of another library describes. */
  readonly paramsType: Constructor | null;
  /** The instance that `get` returned when the application was created. */
  readonly instance: object;
  /** Calls the handler with its arguments in the declared order. */
  invoke(instance: object, params: unknown): unknown;
}
