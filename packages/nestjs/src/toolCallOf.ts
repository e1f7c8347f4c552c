import type { ArgumentsHost } from '@nestjs/common';
import { isObject } from 'toolwright/internal/light';
import type { CallContext } from 'toolwright/policies';
import type { ContextId } from '@nestjs/core';
import type { ContainedHandler } from 'toolwright/adapters';

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

/** The context that code written for GraphQL finds the request in; it may add to it, such as the user. */
interface GraphqlContext {
  readonly req: unknown;
  readonly res: object;
}

/**
 * The arguments of an execution context. Request and response come first, as code that was written for HTTP expects, and the third has the
 * request in `req`, as for GraphQL. `GqlExecutionContext` reads four arguments in these places.
 */
export type HostArguments = readonly [request: unknown, response: object, graphql: GraphqlContext, call: NestToolCall];

/** By their requests: the calls of one request share it, as the resolvers of one do. */
const graphqlContexts = new WeakMap<object, GraphqlContext>();

/** @param response stands for the response, which a tool call does not have */
export function argumentsOf({ params, context, request }: NestToolCall, response: object): HostArguments {
  return [request, response, graphqlContextOf(request, response), { params, context, request }];
}

function graphqlContextOf(request: unknown, response: object): GraphqlContext {
  if (!isObject(request)) return { req: request, res: response };
  const known = graphqlContexts.get(request) ?? { req: request, res: response };
  graphqlContexts.set(request, known);
  return known;
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
  return host.getType<string>() === TOOL_CALL ? host.getArgByIndex<NestToolCall>(3) : undefined;
}

/** A tool call, with the context in which Nest keeps what it built for it. */
export interface HostInvocation extends NestToolCall {
  readonly handler: Pick<ContainedHandler, 'type' | 'member' | 'paramsType'>;
  /** The instance that the handler runs on in this call. */
  readonly instance: object;
  readonly contextId: ContextId | undefined;
}
