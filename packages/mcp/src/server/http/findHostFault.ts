import type { McpHttpOptions } from '../McpHttpOptions.js';
import type { HttpInput } from './HttpInput.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The header `Host`: a name or address and an optional port. A URL parser would also accept `x@localhost`. */
const HOST = /^(?<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns the reason why the host or origin of a request is refused; undefined if both are allowed. A page of another site can make
 * a browser send requests to this machine, or let its own domain name resolve to it. `Origin` and `Host` reveal both.
 */
export function findHostFault(
  { headers, isLocal }: Pick<HttpInput, 'headers' | 'isLocal'>,
  { allowedHosts, allowedOrigins }: McpHttpOptions,
): string | undefined {
  const hosts = allowedHosts ?? (isLocal ? LOOPBACK : undefined);
  if (hosts !== undefined && !isListed(hosts, HOST.exec(headers['host'] ?? '')?.groups?.['name']))
    return 'The Host header names another host. The server has to list it in http.allowedHosts.';
  const origin = headers['origin'];
  if (origin === undefined) return undefined;
  const isAllowed =
    allowedOrigins === undefined ? isListed(hosts ?? LOOPBACK, pageHostOf(origin)) : allowedOrigins.includes(origin);
  return isAllowed ? undefined : 'Pages of this origin may not call. The server has to list it in http.allowedOrigins.';
}

function isListed(hosts: readonly string[], host: string | undefined): boolean {
  return host !== undefined && hosts.some((each) => each.toLowerCase() === host.toLowerCase());
}

/** Returns the host of a page's origin, with any port; undefined for other schemes and for invalid origins. */
function pageHostOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return /^https?:$/.test(url.protocol) && url.origin === origin ? url.hostname : undefined;
}
