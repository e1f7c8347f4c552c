import type { JSONWebKeySet } from 'jose';

/** How a server over HTTP checks the access tokens of its clients, which an authorization server of its own issues. */
export interface McpAuthorizationOptions {
  /** The authorization server: the `iss` of its tokens, such as `https://login.example`. */
  readonly issuer: string;
  /**
   * The URL at which clients reach this server, such as `https://desk.example/mcp`. Clients ask for tokens of this resource
   * (RFC 8707), and find the authorization server in its metadata (RFC 9728).
   */
  readonly resource: string;
  /** The `aud` of accepted tokens; `resource` when left out. Set it for authorization servers that use names of their own. */
  readonly audience?: string | undefined;
  /** The scopes that every request needs, and that the metadata lists; none when left out. Tools add theirs with `ScopePolicy`. */
  readonly scopes?: readonly string[] | undefined;
  /** The keys of the issuer, or their URL; found through the metadata of the issuer when left out. */
  readonly jwks?: string | JSONWebKeySet | undefined;
  /** The accepted signature algorithms; RSA, ECDSA and EdDSA when left out. Symmetric ones cannot be accepted. */
  readonly algorithms?: readonly string[] | undefined;
  /** The seconds by which the clocks of the servers may differ; 30 when left out. */
  readonly clockToleranceSeconds?: number | undefined;
}
