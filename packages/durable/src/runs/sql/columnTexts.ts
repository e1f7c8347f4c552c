import { crypto } from 'toolwright/internal/light';

/** Escapes zero bytes and lone surrogates as in JSON, because databases cannot store them. */
export function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reverses `escapeText`. */
export function unescapeText(plain: string): string {
  return JSON.parse(`"${plain}"`) as string;
}

/** Converts a tenant to the text of key columns; an empty text for none. */
export function toTenantKey(tenant: string | null): string {
  return tenant === null ? '' : escapeText(tenant);
}

/** Reverses `toTenantKey`. */
export function readTenantKey(key: string): string | null {
  return key === '' ? null : unescapeText(key);
}

/** Computes a checksum of texts, 12 characters long. It detects damaged rows, but is not a signature. */
export function computeChecksum(...texts: readonly string[]): string {
  return crypto().hash('sha256', JSON.stringify(texts), 'base64url').slice(0, 12);
}
