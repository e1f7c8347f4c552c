import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/** The client that begins an MCP session, as far as the transport identifies it. */
export interface McpPeer {
  readonly transport: 'stdio' | 'http' | 'other';
  /** The random id of the session; undefined if the transport has none. */
  readonly sessionId: string | undefined;
  /** The principal that the session is bound to: the result of `http.principal` for its first request. */
  readonly principal: string | undefined;
  /** The authorisation that middleware added as `request.auth`. */
  readonly authInfo: AuthInfo | undefined;
  /** The headers of the first HTTP request, with names in lower case; empty for other transports. */
  readonly headers: Readonly<Record<string, string>>;
}
