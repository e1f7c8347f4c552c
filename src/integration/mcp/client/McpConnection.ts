import type { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Awaitable } from '../../../common/types.js';

/** What a request of a bridge comes with. */
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

/** What a server can do, as it said when it was connected to. */
export interface McpCapabilities {
  readonly tools?: object | undefined;
  readonly resources?: object | undefined;
  readonly prompts?: object | undefined;
}

/**
 * A connected client of `@modelcontextprotocol/sdk`, by what a bridge needs of it: a `Client` of either build of the package fits.
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
 * A client, or a function that gives one. The function is asked before each request: a host that connects again after a server
 * died gives the new client there, and no bridge has to be made anew.
 */
export type McpConnectionSource = McpConnection | (() => Awaitable<McpConnection>);
