import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/**
 * The body of a request: parsed by the host, a text, one with too many bytes, one with too many values or levels, or one that the
 * host has read and not passed on.
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
  /** The path, without the query. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authInfo: AuthInfo | undefined;
  /** True if the connection is to a local address of the machine, or if its address is unknown. */
  readonly isLocal: boolean;
  /** The address of the client, or of the proxy in front of it; undefined if it is unknown. */
  readonly address: string | undefined;
  /** Aborts when the client leaves before it has its answer. */
  readonly signal: AbortSignal;
  /** Reads the body. Call it once. */
  body(limit: number): Promise<HttpBody>;
}

/** The bound of a stream, and the session that is in use while the stream is read. */
export interface StreamWatch {
  /** The most bytes that may wait for the client. */
  readonly maxUnreadBytes: number;
  /** Call it once the stream has been read or given up. */
  readonly end: () => void;
}

/** The answer to a request. */
export interface HttpReply {
  readonly response: Response;
  readonly watch?: StreamWatch | undefined;
}
