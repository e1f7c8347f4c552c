import type { ArgumentsHost } from '@nestjs/common';
import type { CallContext } from '../../interface/CallContext.js';

/** What `getType()` of an execution context says when a tool is called. */
export const TOOL_CALL = 'toolwright';

/** A tool call, as guards, interceptors and filters of the host see it. */
export interface NestToolCall {
  /** The instance of the params class that the handler gets; null for a tool without params. */
  readonly params: unknown;
  /** A guard may look at session and resources, and cannot change them. */
  readonly context: CallContext;
  /** What `withRequest` or `requestFor` named; undefined when the run has no request. */
  readonly request: unknown;
}

/** The arguments of an execution context: the request comes first, where guards that were written for HTTP look for it. */
export function argumentsOf({ params, context, request }: NestToolCall): readonly [unknown, CallContext, unknown] {
  return [request, context, params];
}

/**
 * What a guard, interceptor or filter may know of the tool call that it stands before; undefined when it is something else,
 * such as an HTTP request.
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
