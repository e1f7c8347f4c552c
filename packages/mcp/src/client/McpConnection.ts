import type { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from 'toolwright/types';

/** Options of a request of a bridge. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly onprogress?: (progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }) => void;
}

/** The capabilities that a server declared when it was connected to. */
export interface McpCapabilities {
  readonly tools?: object | undefined;
  readonly resources?: object | undefined;
  readonly prompts?: object | undefined;
}

/**
 * The parts of a connected client of `@modelcontextprotocol/sdk` that a bridge uses; a `Client` of either build of the package
 * fits.
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
 * A client, or a function that returns one. The function is called before each request: a host that reconnects after a server
 * died returns the new client there, and no bridge has to be rebuilt.
 */
export type McpConnectionSource = McpConnection | (() => Awaitable<McpConnection>);
