import { crypto } from 'toolwright/internal/light';

/** Writes a text without zero bytes and lone surrogates, which databases do not keep: escaped as in JSON. */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reads what `escapeText` wrote. */
export function unescapeText(plain: string): string {
  return JSON.parse(`"${plain}"`) as string;
}

/** Writes a tenant as key columns have it: an empty text for none. */
export function toTenantKey(tenant: string | null): string {
  return tenant === null ? '' : escapeText(tenant);
}

/** Reads a key that `toTenantKey` wrote. */
export function readTenantKey(key: string): string | null {
  return key === '' ? null : unescapeText(key);
}

/** Returns a checksum of texts, 12 characters, which finds a damaged row. It is no signature. */
export function computeChecksum(...texts: readonly string[]): string {
  return crypto().createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 12);
}
