import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/**
 * The body of a request: parsed by the host, as text, with too many bytes, with too many values or levels, or read by the host and
 * not passed on.
 */
export type HttpBody =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'lost' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too large' }
  | { readonly kind: 'too much' };

/** A request in a common form for Node and the web standard. */
export interface HttpInput {
  readonly method: string;
  readonly headers: Headers;
  readonly authInfo: AuthInfo | undefined;
  /** True if the connection is to a local address of the machine, or if that is unknown. */
  readonly isLocal: boolean;
  /** The address of the client, or of the proxy in front of it; undefined if that is unknown. */
  readonly address: string | undefined;
  /** Reads the body, once. */
  body(limit: number): Promise<HttpBody>;
}
