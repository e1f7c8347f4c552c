import type { ArgumentsHost } from '@nestjs/common';
import { isObject } from 'toolwright/internal/light';
import type { CallContext } from 'toolwright/policies';
import type { ContextId } from '@nestjs/core';
import type { ContainedHandler } from 'toolwright/adapters';

/** The result of `getType()` of an execution context for a tool call. */
export const TOOL_CALL = 'toolwright';

/** A tool call, as the host's guards, interceptors and filters see it. */
export interface NestToolCall {
  /** The instance of the params class, which the handler gets; null for a tool without params. */
  readonly params: unknown;
  /** The context of the call. A guard may read session and resources, but cannot change them. */
  readonly context: CallContext;
  /** The request from `withRequest` or `requestFor`; undefined for a run without a request. */
  readonly request: unknown;
}

/** The context in which code written for GraphQL finds the request. Such code may add fields, such as the user. */
interface GraphqlContext {
  readonly req: unknown;
  readonly res: object;
}

/**
 * The arguments of an execution context. Request and response come first, as code written for HTTP expects. The third argument has
 * the request in `req`, as in GraphQL. `GqlExecutionContext` reads four arguments at these positions.
 */
export type HostArguments = readonly [request: unknown, response: object, graphql: GraphqlContext, call: NestToolCall];

/** GraphQL contexts by request. The calls of one request share a context, as resolvers do. */
const graphqlContexts = new WeakMap<object, GraphqlContext>();

/** Returns the arguments of an execution context. @param response the stand-in for the response, which a tool call does not have */
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

/** A tool call, with the context in which Nest keeps the instances built for it. */
export interface HostInvocation extends NestToolCall {
  readonly handler: Pick<ContainedHandler, 'type' | 'member' | 'paramsType'>;
  /** The instance on which the handler runs in this call. */
  readonly instance: object;
  readonly contextId: ContextId | undefined;
}
