import { cut } from 'toolwright/internal/light';

/** Puts text on one line and cuts it after `limit` characters. */
export function shorten(text: string, limit: number): string {
  const joined = text.replace(/\s+/g, ' ').trim();
  return joined.length > limit ? `${cut(joined, limit)}…` : joined;
}
