import type { ArgumentsHost } from '@nestjs/common';
import type { CallContext } from '../../interface/CallContext.js';

/** The result of `getType()` of an execution context for a tool call. */
export const TOOL_CALL = 'toolwright';

/** A tool call, as guards, interceptors and filters of the host see it. */
export interface NestToolCall {
  /** The instance of the params class that the handler gets; null for a tool without params. */
  readonly params: unknown;
  /** A guard may read session and resources, but cannot change them. */
  readonly context: CallContext;
  /** The request of `withRequest` or `requestFor`; undefined if the run has none. */
  readonly request: unknown;
}

/** Returns the arguments of an execution context: the request is first, as guards that were written for HTTP expect. */
export function argumentsOf({ params, context, request }: NestToolCall): readonly [unknown, CallContext, unknown] {
  return [request, context, params];
}

/**
 * Returns the tool call that a guard, interceptor or filter runs for; undefined if it runs for something else, such as an HTTP
 * request.
 *
 * @example
 * canActivate(host: ExecutionContext): boolean {
 *   const call = toolCallOf(host);
 *   return call === undefined || mayCall(call.request, call.context.call.name);
 * }
 */
export function toolCallOf(host: ArgumentsHost): NestToolCall | undefined {
  if (host.getType<string>() !== TOOL_CALL) return undefined;
  const [request, context, params] = host.getArgs<[unknown, CallContext, unknown]>();
  return { params, context, request };
}
