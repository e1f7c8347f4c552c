import type { Awaitable, Constructor } from '../common/types.js';
import type { CallContext } from './CallContext.js';
import type { ToolPolicy } from './ToolPolicy.js';

/** Port to a DI container: gives the instance of a class. Singletons are asked for once, when the application is created. */
export interface ContainerAdapter {
  get<T extends object>(type: Constructor<T>): Awaitable<T>;
  /**
   * Runs a handler in place of the dispatcher: for containers that build a class anew for a call, or whose host puts something
   * around handlers. Within the call's transaction; what it gives or throws is what the handler gave or threw. Left out: the
   * handler runs on what `get` gave.
   */
  run?(handler: ContainedHandler, params: unknown, context: CallContext): unknown;
  /** Asked about every call of a tool, after the policies that are declared. */
  readonly policies?: readonly ToolPolicy[] | undefined;
}

/** A handler that is about to run, as its container sees it. */
export interface ContainedHandler {
  /** The class whose instance holds the handler. */
  readonly type: Constructor;
  /** The method; undefined for a tool made by `defineTool`. */
  readonly member: string | symbol | undefined;
  /** The class of the params; null for a tool without params, and for one whose params a schema of another library describes. */
  readonly paramsType: Constructor | null;
  /** What `get` gave when the application was created. */
  readonly instance: object;
  /** Calls the handler, in the order in which it wants its arguments. */
  invoke(instance: object, params: unknown): unknown;
}
