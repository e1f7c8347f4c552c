import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/** Who begins an MCP session, as far as the transport knows. */
export interface McpPeer {
  readonly transport: 'stdio' | 'http' | 'other';
  /** The random id of the session; undefined where the transport has none. */
  readonly sessionId: string | undefined;
  /** To whom the session is bound: what `http.principal` said of its first request. */
  readonly principal: string | undefined;
  /** What an authorising middleware left in `request.auth`. */
  readonly authInfo: AuthInfo | undefined;
  /** Of the first HTTP request, with names in lower case; empty elsewhere. */
  readonly headers: Readonly<Record<string, string>>;
}
