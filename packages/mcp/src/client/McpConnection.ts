import type { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from 'toolwright/types';

/** Options of a request of a bridge. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** The timeout in milliseconds. */
  readonly timeout?: number;
  readonly onprogress?: (progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }) => void;
}

/** The capabilities that a server declared on connection. */
export interface McpCapabilities {
  readonly tools?: object | undefined;
  readonly resources?: object | undefined;
  readonly prompts?: object | undefined;
}

/**
 * The parts of a connected client of `@modelcontextprotocol/sdk` that a bridge uses. A `Client` of either build of the package
 * matches.
 */
export interface McpConnection {
  request(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    resultSchema: typeof ResultSchema,
    options?: McpRequestOptions,
  ): Promise<Record<string, unknown>>;
  getServerCapabilities(): McpCapabilities | undefined;
}

/**
 * A client, or a function that returns one. The function is called before each request, so a host that reconnects to a server can
 * return the new client without rebuilding the bridge.
 */
export type McpConnectionSource = McpConnection | (() => Awaitable<McpConnection>);
