import { ErrorCode, type CallToolResult, type ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import {
  type ContentPart,
  type RenderedPrompt,
  type ToolCall,
  type ToolOutcome,
  ToolRefusal,
  ToolValidationError,
} from 'toolwright';
import type { CallRedaction, DispatchServices } from 'toolwright/internal';
import { McpContent } from './McpContent.js';
import { structuredContent } from './structuredContent.js';
import { withoutPaths } from './withoutPaths.js';
import { outputForm } from './outputForm.js';
import { protocolError } from './protocolError.js';

/**
 * Returns the result of a call for the client: the text for the model, the parts, and the value if its schema is declared.
 *
 * @throws McpError -32602 for a tool that is not offered
 */
export function callResult(
  rendered: RenderedPrompt,
  call: ToolCall,
  outcome: ToolOutcome,
  { redaction, logger }: DispatchServices,
): CallToolResult {
  if (outcome.kind === 'unknown') throw protocolError(ErrorCode.InvalidParams, outcome.text);
  if (outcome.kind !== 'succeeded') return failure(textOf(outcome));
  const tool = rendered.tool(call.name);
  const { value, message } = outcome.result;
  const parts = (outcome.parts ?? []).map(blockOf);
  const hider = redaction.ofCall(tool, call.arguments);
  if (McpContent.is(value)) {
    const messageBlocks: ContentBlock[] = message === '' || message === 'OK' ? [] : [McpContent.text(message)];
    const blocks = [...messageBlocks, ...value.blocks];
    return { content: [...blocks.map((block) => spokenBlock(block, hider)), ...parts] };
  }
  const structured = tool === undefined ? undefined : structuredContent(tool, value);
  if (structured === undefined && tool !== undefined && outputForm(tool) !== undefined)
    logger.warn(`MCP: ${call.name} declares a result and returned none: clients that check answers refuse this one.`);
  return {
    content: [McpContent.text(outcome.text), ...parts],
    ...(structured === undefined ? {} : { structuredContent: hider?.spokenValue(structured) ?? structured }),
  };
}

/** Returns a part of a result as the protocol writes it; `index` keeps the URIs of nameless files apart. */
function blockOf(part: ContentPart, index: number): ContentBlock {
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

/** Returns a block without the secrets of its call. Bytes and links stay: base64 may hold any short text, and links are followed. */
function spokenBlock(block: ContentBlock, hider: CallRedaction | undefined): ContentBlock {
  if (hider === undefined) return block;
  if (block.type === 'image' || block.type === 'audio') return block;
  if (block.type === 'text') return { ...block, text: hider.spoken(block.text) };
  if (block.type === 'resource_link') return { ...hider.spokenValue(block), type: block.type, uri: block.uri };
  const { resource } = block;
  const uri = hider.spoken(resource.uri);
  return {
    ...block,
    resource: 'blob' in resource ? { ...resource, uri } : { ...resource, uri, text: hider.spoken(resource.text) },
  };
}

/** Returns the result of a failed call, with its text for the model. */
export function failure(text: string): CallToolResult {
  return { content: [McpContent.text(text)], isError: true };
}

/** Returns the text of an outcome; that of an unexpected error without paths, which could reveal details of the machine. */
function textOf({ kind, text, ...outcome }: Exclude<ToolOutcome, { kind: 'succeeded' }>): string {
  const isMeant = kind !== 'failed' || !('error' in outcome) || outcome.error === undefined;
  return isMeant || ToolRefusal.is(outcome.error) || ToolValidationError.is(outcome.error) ? text : withoutPaths(text);
}
