import { createHash } from 'node:crypto';
import type { McpHttpOptions, McpRequestInfo } from '../McpHttpOptions.js';

/** Returns the principal of a request; undefined for anonymous requests. */
export function principalOf(request: McpRequestInfo, { principal }: McpHttpOptions): string | undefined {
  if (principal !== undefined) return principal(request);
  const { authInfo, headers } = request;
  const subject = authInfo?.extra?.['sub'];
  if (authInfo !== undefined && typeof subject === 'string') return JSON.stringify([authInfo.clientId, subject]);
  const credentials = authInfo?.token ?? headers['authorization'];
  // Never the credentials themselves: principals are kept, and passed to the host.
  return credentials === undefined ? undefined : createHash('sha256').update(credentials).digest('hex');
}
