import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import type { BoundPrompt } from 'toolwright';
import { copyOwnOptions } from 'toolwright/internal/light';
import { MAX_TOKEN_CHARS } from '../../limits.js';
import { createCodedResponse } from '../http/createErrorResponse.js';
import { isRequest } from '../RequestLedger.js';
import { findToolScopes } from './findToolScopes.js';
import type { McpAuthorizationOptions } from './McpAuthorizationOptions.js';
import { TokenVerifier } from './TokenVerifier.js';

/** A scope that OAuth allows (RFC 6749), so that it may stand in a header. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

const METADATA_PATH = '/.well-known/oauth-protected-resource';
const BEARER = /^Bearer +(?<token>[\w.~+/-]+=*)$/i;

/** The server as a protected resource of OAuth: its metadata, its challenges, and the check of each request. */
export class Authorization {
  /** The path of the metadata: the path of the resource behind the well-known one (RFC 9728, 3.1). */
  readonly metadataPath: string;
  readonly #metadataUrl: string;
  readonly #options: McpAuthorizationOptions;
  readonly #verifier: TokenVerifier;

  constructor(given: McpAuthorizationOptions) {
    this.#options = copyOwnOptions(given);
    const { origin, pathname } = new URL(this.#options.resource);
    this.metadataPath = `${METADATA_PATH}${pathname === '/' ? '' : pathname}`;
    this.#metadataUrl = `${origin}${this.metadataPath}`;
    this.#verifier = new TokenVerifier(this.#options);
  }

  /** Returns the metadata by which clients find the authorization server. */
  answerMetadata(): Response {
    const { resource, issuer, scopes = [] } = this.#options;
    return Response.json({
      resource,
      authorization_servers: [issuer],
      ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
    });
  }

  /**
   * Returns the grant of a request, or the response that refuses it: 401 without a valid token, 403 without the scopes of the server.
   *
   * @throws McpServerError E926 if the keys of the issuer cannot be read
   */
  async admit(headers: Readonly<Record<string, string>>): Promise<AuthInfo | Response> {
    const given = headers['authorization'];
    if (given === undefined) return this.refuse('This server needs an access token.');
    const token = given.length > MAX_TOKEN_CHARS ? undefined : BEARER.exec(given)?.groups?.['token'];
    if (token === undefined)
      return this.refuse('This server needs an access token.', 'The header is not a Bearer token');
    const granted = await this.#verifier.verify(token);
    if ('fault' in granted) return this.refuse('The server does not accept this token.', granted.fault);
    return this.#findMissing(this.#options.scopes ?? [], granted) ?? granted;
  }

  /** Returns the response to credentials that are missing or, with a fault, refused. */
  refuse(message: string, fault?: string): Response {
    const error = fault === undefined ? {} : { error: 'invalid_token', error_description: fault };
    const text = fault === undefined ? message : `${message} ${fault}.`;
    return this.#challenge('E694', 401, text, { ...error, scope: (this.#options.scopes ?? []).join(' ') });
  }

  /** Returns the response to messages that call a tool without its scopes; undefined if there is no such call. */
  findMissingScopes(
    prompt: BoundPrompt,
    messages: readonly JSONRPCMessage[],
    granted: AuthInfo | undefined,
  ): Response | undefined {
    for (const message of messages) {
      if (!isToolCall(message)) continue;
      const needed = findToolScopes(prompt.metadata, message.params?.['name']);
      const response = this.#findMissing(needed, granted, message.id);
      if (response !== undefined) return response;
    }
    return undefined;
  }

  #findMissing(needed: readonly string[], granted: AuthInfo | undefined, id?: string | number): Response | undefined {
    const scopes = granted?.scopes ?? [];
    const missing = needed.filter((scope) => !scopes.includes(scope));
    if (missing.length === 0) return undefined;
    const fault = {
      error: 'insufficient_scope',
      error_description: 'The token lacks a scope',
      // A client replaces its token by one with exactly these scopes, so the granted ones are listed, too. No client can ask for one
      // that OAuth does not allow, and it could add a parameter to the header.
      scope: [...new Set([...scopes, ...needed])].filter((scope) => SCOPE.test(scope)).join(' '),
    };
    return this.#challenge('E927', 403, `The token lacks the scope ${missing.join(' and ')}.`, fault, id);
  }

  #challenge(
    code: 'E694' | 'E927',
    status: 401 | 403,
    message: string,
    fields: Readonly<Record<string, string>>,
    id?: string | number,
  ): Response {
    const response = createCodedResponse(code, status, message, id);
    const parameters = Object.entries({ ...fields, resource_metadata: this.#metadataUrl })
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}="${value}"`);
    response.headers.set('www-authenticate', `Bearer ${parameters.join(', ')}`);
    return response;
  }
}

/** Returns true for a request that calls a tool. */
export function isToolCall(message: JSONRPCMessage): message is JSONRPCRequest {
  return isRequest(message) && message.method === 'tools/call';
}
