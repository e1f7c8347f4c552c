import type { McpHttpOptions } from '../McpHttpOptions.js';
import type { HttpInput } from './HttpInput.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the reason why the host or origin of a request is refused; undefined if both are allowed. A page of another site can
 * make a browser send requests to this machine, or its own domain name resolve to it: `Host` and `Origin` reveal both.
 */
export function hostFault(
  { headers, isLocal }: Pick<HttpInput, 'headers' | 'isLocal'>,
  { allowedHosts, allowedOrigins }: McpHttpOptions,
): string | undefined {
  const hosts = allowedHosts ?? (isLocal ? LOOPBACK : undefined);
  const host = hostnameOf(`http://${headers.get('host') ?? ''}`);
  if (hosts !== undefined && (host === undefined || !isListed(hosts, host)))
    return 'The Host header names another host. The server has to list it in http.allowedHosts.';
  const origin = headers.get('origin');
  if (origin === null) return undefined;
  const isAllowed =
    allowedOrigins === undefined
      ? isListed(hosts ?? LOOPBACK, hostnameOf(origin) ?? '')
      : allowedOrigins.includes(origin);
  return isAllowed ? undefined : 'Pages of this origin may not call. The server has to list it in http.allowedOrigins.';
}

function isListed(hosts: readonly string[], host: string): boolean {
  return hosts.some((each) => each.toLowerCase() === host);
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
