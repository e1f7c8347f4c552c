import type { ContentPart } from 'toolwright';
import type { AgUiPart } from './agUiEvents.js';

/** Returns the content of a message: a text, or a list if it has further parts. */
export function toAgUiContent(text: string, parts: readonly ContentPart[]): string | readonly AgUiPart[] {
  if (parts.length === 0) return text;
  const first: readonly AgUiPart[] = text === '' ? [] : [{ type: 'text', text }];
  return [...first, ...parts.map(toAgUiPart)];
}

/** Returns a part of a message in the form of AG-UI. */
export function toAgUiPart(part: ContentPart): AgUiPart {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const { kind, mediaType: mimeType, data, url } = part;
  const source =
    data === undefined
      ? ({ type: 'url', value: url, mimeType } as const)
      : ({ type: 'data', value: data, mimeType } as const);
  if (kind !== 'file') return { type: kind, source };
  return { type: 'document', source, ...(part.name === undefined ? {} : { metadata: { filename: part.name } }) };
}
