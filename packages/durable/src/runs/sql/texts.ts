/** Writes a text without zero bytes and lone surrogates, which databases do not keep: escaped as in JSON. */
export function plainText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Reads what `plainText` wrote. */
export function textIn(plain: string): string {
  return JSON.parse(`"${plain}"`) as string;
}

/** Writes a tenant as key columns have it: an empty text for none. */
export function tenantKey(tenant: string | null): string {
  return tenant === null ? '' : plainText(tenant);
}

/** Reads a key that `tenantKey` wrote. */
export function tenantIn(key: string): string | null {
  return key === '' ? null : textIn(key);
}
