import { crypto } from 'toolwright/internal/light';

/** Returns a checksum of texts, 12 characters, which finds a damaged row. It is no signature. */
export function checksum(...texts: readonly string[]): string {
  return crypto().createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 12);
}
