import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { brand } from 'toolwright/internal/light';

/** The data of a document. Text is sent unchanged, bytes as base64. */
export type McpData = string | Uint8Array;

/**
 * A tool's value that MCP clients get as images, audio or documents. Outside MCP, the model reads one line about each.
 *
 * @example
 * return McpContent.of(McpContent.image(png, 'image/png'), McpContent.text('The floor plan.'));
 */
export class McpContent {
  readonly blocks: readonly ContentBlock[];

  constructor(blocks: readonly ContentBlock[]) {
    this.blocks = Object.freeze([...blocks]);
    Object.freeze(this);
  }

  static of(...blocks: readonly ContentBlock[]): McpContent {
    return new McpContent(blocks);
  }

  static text(text: string): ContentBlock {
    return { type: 'text', text };
  }

  /** Returns an image. @param data its bytes, or their base64 */
  static image(data: McpData, mimeType: string): ContentBlock {
    return { type: 'image', data: toBase64(data), mimeType };
  }

  /** Returns a sound. @param data its bytes, or their base64 */
  static audio(data: McpData, mimeType: string): ContentBlock {
    return { type: 'audio', data: toBase64(data), mimeType };
  }

  /** Returns a document embedded in the result. */
  static resource(uri: string, data: McpData, mimeType: string): ContentBlock {
    return { type: 'resource', resource: contentsOf(uri, data, mimeType) };
  }

  /** Renders the text for models that cannot get the blocks themselves. */
  render(): string {
    return this.blocks.map(textOf).join('\n');
  }
}
brand(McpContent, 'McpContent');

/** Returns text or bytes under a URI. */
export function contentsOf(
  uri: string,
  data: McpData,
  mimeType: string | undefined,
): { uri: string; mimeType?: string; text: string } | { uri: string; mimeType?: string; blob: string } {
  const head = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
  return typeof data === 'string' ? { ...head, text: data } : { ...head, blob: toBase64(data) };
}

function toBase64(data: McpData): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[document ${block.resource.uri}]`;
    case 'resource_link':
      return `[document ${block.uri}]`;
    default:
      return `[${block.type} ${block.mimeType}]`;
  }
}
