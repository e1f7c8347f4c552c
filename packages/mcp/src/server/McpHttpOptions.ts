import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Awaitable } from 'toolwright/types';
import type { McpAuthorizationOptions } from './authorization/McpAuthorizationOptions.js';

/** The request that `principal` gets. */
export interface McpRequestInfo {
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authInfo: AuthInfo | undefined;
}

/** Options of a server over HTTP; every limit has a default. */
export interface McpHttpOptions {
  /**
   * Names or addresses, without port, that the `Host` header may have. When left out: only the names of the local machine for
   * connections to a local address, any name for others.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of pages that may call, such as `https://desk.example`; when left out, origins on an allowed host. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Returns the principal of a request, or a promise of it; undefined for an anonymous request, false to refuse it (401). A session
   * serves only the principal that began it; for others, it does not exist. When left out, the principal is the client and subject
   * of `request.auth`, or else a hash of the header `Authorization`. Cookies are never read.
   */
  readonly principal?: ((request: McpRequestInfo) => Awaitable<string | false | undefined>) | undefined;
  /**
   * Checks an access token for each request, with the keys of its issuer, and publishes the metadata by which clients find that
   * issuer. Needs `jose`. When left out, the server checks no tokens.
   */
  readonly authorization?: McpAuthorizationOptions | undefined;
  /** The most bytes of a request's body; 4 MiB when left out. */
  readonly maxBodyBytes?: number | undefined;
  /** The most sessions at one time; 1,000 when left out. Further sessions are refused until others end. */
  readonly maxSessions?: number | undefined;
  /**
   * The most sessions of one principal, or of one address for anonymous requests; 100 when left out. One more ends the session that
   * has been idle for longest; if no session is idle, it is refused (429).
   */
  readonly maxSessionsPerPrincipal?: number | undefined;
  /** The most requests and open streams of one principal or address at one time; 200 when left out. Further requests get 429. */
  readonly maxRequestsPerPrincipal?: number | undefined;
  /** The most bytes that wait for a client that does not read its stream; 1 MiB when left out. Beyond it, the stream is cut. */
  readonly maxUnreadBytes?: number | undefined;
  /** Milliseconds without a request or open stream after which a session ends; 30 minutes when left out. */
  readonly idleMs?: number | undefined;
  /** The most messages of a session that are kept for a client with a broken stream; 500 when left out. */
  readonly replayed?: number | undefined;
  /** Milliseconds that a client should wait before it reconnects to a stream; 1,000 when left out. */
  readonly retryMs?: number | undefined;
}
