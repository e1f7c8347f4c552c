import { MAX_SHOWN_URL_CHARS } from '../common/limits.js';
import { quote } from '../common/text.js';
import type { ContentPart, ContentPartSummary } from './ContentPart.js';

/** Returns the part without its bytes. */
export function summarisePart(part: ContentPart): ContentPartSummary {
  if (part.kind === 'text') return part;
  const { kind, mediaType, data, url } = part;
  const named = part.kind === 'file' && part.name !== undefined ? { name: part.name } : {};
  return { kind, mediaType, ...named, ...(data === undefined ? { url } : { bytes: measureBytes(data) }) };
}

/** Describes the part in one line, e.g. `[image image/png, 812 bytes]`. A text is returned unchanged. */
export function describePart(part: ContentPart): string {
  const summary = summarisePart(part);
  if (summary.kind === 'text') return summary.text;
  const { kind, mediaType, name, bytes, url = '' } = summary;
  const named = name === undefined ? '' : ` ${quote(name)}`;
  const where = bytes === undefined ? ` at ${quote(url, MAX_SHOWN_URL_CHARS)}` : `, ${String(bytes)} bytes`;
  return `[${kind} ${mediaType}${named}${where}]`;
}

/** Returns the parts with a description instead of bytes, as in transcripts; the same list if it has no bytes. */
export function removeBytes(parts: readonly ContentPart[]): readonly ContentPart[] {
  if (parts.every((part) => part.kind === 'text' || part.data === undefined)) return parts;
  return parts.map((part) =>
    part.kind === 'text' || part.data === undefined ? part : { kind: 'text', text: describePart(part) },
  );
}

/** Returns the number of bytes that a base64 text encodes. */
export function measureBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
