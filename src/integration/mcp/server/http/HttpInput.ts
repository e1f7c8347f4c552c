import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/** The body of a request: what the host's parser made of it, its text, or that there is too much of it. */
export type HttpBody =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too large' };

/** A request as the door takes it, wherever it comes from. */
export interface HttpInput {
  readonly method: string;
  readonly headers: Headers;
  readonly authInfo: AuthInfo | undefined;
  /** True when the connection came in on an address of the machine itself, or when that cannot be known. */
  readonly isLocal: boolean;
  /** Reads the body, once. */
  body(limit: number): Promise<HttpBody>;
}
