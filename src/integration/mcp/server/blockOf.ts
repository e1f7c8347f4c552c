import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import type { ContentPart } from '../../../value/ContentPart.js';
import { McpContent } from './McpContent.js';

/** Returns a part of a result as the protocol writes it; `index` keeps the URIs of nameless files apart. */
export function blockOf(part: ContentPart, index: number): ContentBlock {
  if (part.kind === 'text') return McpContent.text(part.text);
  const { kind, mediaType, data, url } = part;
  const name = (kind === 'file' ? part.name : undefined) ?? `${kind}-${String(index + 1)}`;
  if (data === undefined) return { type: 'resource_link', uri: url, name, mimeType: mediaType };
  if (kind === 'image') return McpContent.image(data, mediaType);
  if (kind === 'audio') return McpContent.audio(data, mediaType);
  return {
    type: 'resource',
    resource: { uri: `attachment:${encodeURIComponent(name)}`, mimeType: mediaType, blob: data },
  };
}
