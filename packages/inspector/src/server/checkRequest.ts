import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InspectorError } from './InspectorError.js';

/** Headers of every response: only scripts of the page itself run, and the page exchanges data only with its own server. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/**
 * Refuses requests that name another host than this machine, as DNS rebinding does, and requests from pages of another origin.
 *
 * @param hosts further values of the header `Host` that are accepted, such as `dev.example:3000`
 * @throws InspectorError 403
 */
export function checkOrigin({ headers }: IncomingMessage, hosts: readonly string[]): void {
  const { host = '', origin } = headers;
  if (!LOOPBACK.test(host) && !hosts.includes(host))
    throw new InspectorError(403, 'the inspector answers only under the names of this machine', 'Host');
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    throw new InspectorError(403, 'the request came from a page of another origin', 'Origin');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new InspectorError(403, 'the request came from a page of another site', 'Sec-Fetch-Site');
}

/** Checks the token of a request. @throws InspectorError 401 if it is missing or wrong */
export function checkToken({ headers }: IncomingMessage, token: string): void {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new InspectorError(401, 'the token is missing or wrong: open the address that was printed', 'Authorization');
}
