import type { JWTVerifyGetKey } from 'jose';
import { describeValue, messageOf } from 'toolwright/internal/light';
import { AUTHORIZATION_SERVER_MS } from '../../limits.js';
import { McpServerError } from '../McpServerError.js';

/** Returns the keys at a URL. They are cached, and read again for an unknown key, at most once in half a minute. */
export type OpenKeys = (url: URL) => JWTVerifyGetKey;

/**
 * Finds the keys of an issuer through its metadata: RFC 8414 first, then OpenID Connect.
 *
 * @throws McpServerError E926 if no metadata can be read, or if they belong to another issuer
 */
export async function findIssuerKeys(issuer: string, openKeys: OpenKeys): Promise<JWTVerifyGetKey> {
  const problems: string[] = [];
  for (const url of listMetadataUrls(issuer)) {
    const metadata = await readMetadata(url).catch((error: unknown) => {
      problems.push(`${url}: ${messageOf(error)}`);
    });
    if (metadata === undefined) continue;
    // Metadata of another issuer would let that issuer sign tokens (RFC 8414, 3.3).
    if (metadata['issuer'] !== issuer)
      throw createIssuerError(`${url} belongs to the issuer ${describeValue(metadata['issuer'])}, expected ${issuer}`);
    const keys = metadata['jwks_uri'];
    if (typeof keys === 'string' && isSecureUrl(keys)) return openKeys(new URL(keys));
    throw createIssuerError(`${url} has no usable jwks_uri, got ${describeValue(keys)}`);
  }
  throw createIssuerError(`its metadata could not be read: ${problems.join('; ')}`);
}

/** Returns true for an https URL, and for an http URL of this machine. */
export function isSecureUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

export function createIssuerError(problem: string, cause?: unknown): McpServerError {
  return new McpServerError(problem, { code: 'E926', place: 'http.authorization.issuer', cause });
}

function listMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

async function readMetadata(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  // A redirect could lead to a server that the host did not name.
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(AUTHORIZATION_SERVER_MS) });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw createIssuerError(`the status is ${String(response.status)}`);
  }
  return (await response.json()) as Readonly<Record<string, unknown>>;
}
