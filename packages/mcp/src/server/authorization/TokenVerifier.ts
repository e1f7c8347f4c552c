import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type * as Jose from 'jose';
import { isText, loadPeer, messageOf } from 'toolwright/internal/light';
import { ASYMMETRIC_ALGORITHMS, AUTHORIZATION_SERVER_MS, DEFAULT_CLOCK_TOLERANCE_SECONDS } from '../../limits.js';
import type { McpAuthorizationOptions } from './McpAuthorizationOptions.js';
import { createIssuerError, findIssuerKeys } from './findIssuerKeys.js';

/** The reason why a token is refused, for its client. */
export interface TokenFault {
  readonly fault: string;
}

/** Reasons by code of jose. Other errors are not the fault of the token. */
const FAULTS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired',
  ERR_JWT_INVALID: 'The token is not a JWT',
  ERR_JWS_INVALID: 'The token is not a JWT',
  ERR_JOSE_NOT_SUPPORTED: 'The token uses an unsupported extension',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The algorithm of the token is not accepted',
  ERR_JWKS_NO_MATCHING_KEY: 'The issuer has no such key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The token does not name its key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is wrong',
};

/** Reasons by claim. */
const CLAIM_FAULTS: Readonly<Record<string, string>> = {
  iss: 'The token is of another issuer',
  aud: 'The token is for another server',
  exp: 'The token never expires',
  nbf: 'The token is not valid yet',
};

/** Checks access tokens that are JWTs of one issuer, with its published keys. */
export class TokenVerifier {
  readonly #options: McpAuthorizationOptions;
  /** Undefined until the first token, and again after a failure, so that the next token tries anew. */
  #keys: Promise<Jose.JWTVerifyGetKey> | undefined;

  constructor(options: McpAuthorizationOptions) {
    this.#options = options;
  }

  /**
   * Returns the grant of a token, or the reason why it is refused.
   *
   * @throws McpServerError E926 if the keys of the issuer cannot be read, ToolwrightError E415 if `jose` is not installed
   */
  async verify(token: string): Promise<AuthInfo | TokenFault> {
    const jose = await loadPeer('serveMcp({ http: { authorization } })', () => import('jose'));
    const { issuer, algorithms = ASYMMETRIC_ALGORITHMS } = this.#options;
    const { clockToleranceSeconds: clockTolerance = DEFAULT_CLOCK_TOLERANCE_SECONDS } = this.#options;
    const keys = await this.#findKeys(jose);
    try {
      const { payload } = await jose.jwtVerify(token, keys, {
        issuer,
        audience: listAudiences(this.#options),
        algorithms: [...algorithms],
        clockTolerance,
        requiredClaims: ['exp'],
      });
      return this.#toAuthInfo(token, payload);
    } catch (error) {
      const fault = describeFault(error);
      if (fault === undefined) throw createIssuerError(`its keys could not be read: ${messageOf(error)}`, error);
      return { fault };
    }
  }

  #findKeys(jose: typeof Jose): Promise<Jose.JWTVerifyGetKey> {
    this.#keys ??= this.#openKeys(jose).catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }

  async #openKeys(jose: typeof Jose): Promise<Jose.JWTVerifyGetKey> {
    const { issuer, jwks } = this.#options;
    const open = (url: URL): Jose.JWTVerifyGetKey =>
      jose.createRemoteJWKSet(url, { timeoutDuration: AUTHORIZATION_SERVER_MS });
    if (jwks === undefined) return findIssuerKeys(issuer, open);
    return typeof jwks === 'string' ? open(new URL(jwks)) : jose.createLocalJWKSet(jwks);
  }

  #toAuthInfo(token: string, claims: Jose.JWTPayload): AuthInfo | TokenFault {
    const client = [claims['client_id'], claims['azp'], claims['appid']].find(isFilled);
    // The type of jose promises a text, which no issuer has to keep.
    const given: unknown = claims.sub;
    if (given !== undefined && !isFilled(given))
      return { fault: 'The subject of the token is not a text, or is empty' };
    const subject = given ?? client;
    // Without a subject, the sessions of all its users would belong to one principal.
    if (subject === undefined) return { fault: 'The token names neither a subject nor a client' };
    return {
      token,
      clientId: client ?? '',
      scopes: [...readScopes(claims)],
      ...(claims.exp === undefined ? {} : { expiresAt: claims.exp }),
      resource: new URL(this.#options.resource),
      extra: { ...claims, sub: subject },
    };
  }
}

function isFilled(value: unknown): value is string {
  return isText(value) && value !== '';
}

/** Returns the accepted audiences. The URL of a host without path has two forms, with and without its slash. */
function listAudiences({ audience, resource }: McpAuthorizationOptions): string[] {
  if (audience !== undefined) return [audience];
  const { href, origin } = new URL(resource);
  return [...new Set([resource, ...(href === `${origin}/` ? [origin, href] : [])])];
}

/** Reads `scope`, a text with spaces (RFC 9068), or `scp`, a text or a list. */
function readScopes({ scope, scp }: Jose.JWTPayload): readonly string[] {
  const given: unknown = scope ?? scp ?? [];
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  const texts = listed.filter((each) => typeof each === 'string');
  return [...new Set(texts.flatMap((text) => text.split(' ')).filter((name) => name !== ''))];
}

function describeFault(error: unknown): string | undefined {
  const { code = '', claim = '' } = error as { readonly code?: string; readonly claim?: string };
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return CLAIM_FAULTS[claim] ?? 'A claim of the token is invalid';
  return FAULTS[code];
}
