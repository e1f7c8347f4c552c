import type { Awaitable } from 'toolwright/types';

/** Options of a request of a bridge. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** The timeout in milliseconds. */
  readonly timeout?: number;
  /** HTTP headers of this request. Clients of 1.x, and transports other than HTTP, ignore them. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** A Standard Schema, which a client uses to parse an answer. */
export interface McpAnswerSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
  };
}

/**
 * The parts of a connected client that a bridge uses. A `Client` of `@modelcontextprotocol/client` matches, and a `Client` of
 * `@modelcontextprotocol/sdk` 1.x.
 */
export interface McpConnection {
  request(
    request: { readonly method: string; readonly params?: Record<string, unknown> },
    answerSchema: McpAnswerSchema,
    options?: McpRequestOptions,
  ): Promise<unknown>;
  getServerCapabilities(): McpCapabilities | undefined;
  /** `modern` for a server of revision 2026-07-28 or newer. Clients of 1.x do not have the method. */
  getProtocolEra?(): string | undefined;
}

/**
 * A client, or a function that returns one. The function is called before each request, so a host that reconnects to a server can
 * return the new client without rebuilding the bridge.
 */
export type McpConnectionSource = McpConnection | (() => Awaitable<McpConnection>);

/** Checks whether the server speaks revision 2026-07-28 or a newer one. */
export function isModern(client: McpConnection): boolean {
  return client.getProtocolEra?.() === 'modern';
}
