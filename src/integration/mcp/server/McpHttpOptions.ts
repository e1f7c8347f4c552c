import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/** What `principal` sees of a request. */
export interface McpRequestInfo {
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authInfo: AuthInfo | undefined;
}

/** How the server answers over HTTP; every bound has a default. */
export interface McpHttpOptions {
  /**
   * Names or addresses, without port, that the `Host` header may hold. When left out, those of the own machine, unless the
   * connection came in from elsewhere.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins such as `https://desk.example` whose pages may call; those on an allowed host when left out. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Whose request it is. A session serves only the principal that began it; for anybody else it does not exist. When left
   * out: client and subject of `request.auth`, otherwise a hash of the credentials that were sent.
   */
  readonly principal?: ((request: McpRequestInfo) => string | undefined) | undefined;
  /** Bytes of a request's body, at most; 4 MiB when left out. */
  readonly maxBodyBytes?: number | undefined;
  /** Sessions at one time, at most; 1,000 when left out. Further ones are refused until others end. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds without a request or an open stream after which a session ends; 30 minutes when left out. */
  readonly idleMs?: number | undefined;
  /** Messages of a session that a client may ask for again when its stream broke; 500 when left out. */
  readonly replayed?: number | undefined;
  /** Milliseconds that a client should wait before it comes back for a stream; 1,000 when left out. */
  readonly retryMs?: number | undefined;
}
