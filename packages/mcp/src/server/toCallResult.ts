import { ErrorCode, type CallToolResult, type ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import {
  type ContentPart,
  type RenderedPrompt,
  type ToolCall,
  type ToolOutcome,
  ToolRefusal,
  ToolValidationError,
  type RenderedTool,
} from 'toolwright';
import { type SecretRedaction, type DispatchServices, createSerialiser } from 'toolwright/internal';
import { McpContent } from './McpContent.js';
import { findOutputForm } from './findOutputForm.js';
import { createProtocolError } from './createProtocolError.js';

/**
 * Returns the result of a call for the client: the text for the model, the parts, and the value if its schema is declared.
 *
 * @throws McpError -32602 for a tool that is not offered
 */
export function toCallResult(
  rendered: RenderedPrompt,
  call: ToolCall,
  outcome: ToolOutcome,
  { redaction, logger }: DispatchServices,
): CallToolResult {
  if (outcome.kind === 'unknown') throw createProtocolError(ErrorCode.InvalidParams, outcome.text);
  if (outcome.kind !== 'succeeded') return createFailedResult(textOf(outcome));
  const tool = rendered.tool(call.name);
  const { value, message } = outcome.result;
  const parts = toBlocks(outcome.parts);
  const hider = redaction.ofCall(tool, call.arguments);
  if (value instanceof McpContent) {
    const messageBlocks: ContentBlock[] = message === '' || message === 'OK' ? [] : [McpContent.text(message)];
    const blocks = [...messageBlocks, ...value.blocks];
    return { content: [...blocks.map((block) => hideSecrets(block, hider)), ...parts] };
  }
  const structured = tool === undefined ? undefined : toStructuredContent(tool, value);
  if (structured === undefined && tool !== undefined && findOutputForm(tool) !== undefined)
    logger.warn(`MCP: ${call.name} declares a result and returned none: clients that check answers refuse this one.`);
  return {
    content: [McpContent.text(outcome.text), ...parts],
    ...(structured === undefined ? {} : { structuredContent: hider?.redactForModel(structured) ?? structured }),
  };
}

/** Converts the parts of a result to blocks of the protocol. */
export function toBlocks(parts: readonly ContentPart[] = []): readonly ContentBlock[] {
  return parts.map(toBlock);
}

/** Converts a part of a result to a block of the protocol. `index` makes the URIs of nameless files unique. */
function toBlock(part: ContentPart, index: number): ContentBlock {
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

/** Removes the secrets of a call from a block. Bytes and links stay: base64 may hold any short text, and links are followed. */
function hideSecrets(block: ContentBlock, hider: SecretRedaction | undefined): ContentBlock {
  if (hider === undefined) return block;
  if (block.type === 'image' || block.type === 'audio') return block;
  if (block.type === 'text') return { ...block, text: hider.spoken(block.text) };
  if (block.type === 'resource_link') return { ...hider.redactForModel(block), type: block.type, uri: block.uri };
  const { resource } = block;
  const uri = hider.spoken(resource.uri);
  return {
    ...block,
    resource: 'blob' in resource ? { ...resource, uri } : { ...resource, uri, text: hider.spoken(resource.text) },
  };
}

/** Returns the result of a failed call, with its text for the model. */
export function createFailedResult(text: string): CallToolResult {
  return { content: [McpContent.text(text)], isError: true };
}

/** Returns the text of an outcome. Paths are removed from unexpected errors, because they could reveal details of the machine. */
function textOf({ kind, text, ...outcome }: Exclude<ToolOutcome, { kind: 'succeeded' }>): string {
  const isMeant = kind !== 'failed' || !('error' in outcome) || outcome.error === undefined;
  return isMeant || outcome.error instanceof ToolRefusal || outcome.error instanceof ToolValidationError
    ? text
    : removePaths(text);
}

type Plain = Readonly<Record<string, unknown>>;

/**
 * Converts a tool's value to its published schema, because clients refuse answers with additional keys. Returns undefined if no
 * schema is published, or if there is no value.
 */
function toStructuredContent(tool: RenderedTool, value: unknown): Plain | undefined {
  const form = findOutputForm(tool);
  if (form === undefined || value === null || value === undefined) return undefined;
  const { result, returnSchema, fieldNames } = tool.metadata;
  const declared = returnSchema === null ? result : null;
  const options = declared === null ? {} : { type: declared, declaredOnly: true };
  const plain = createSerialiser(fieldNames).toPlain(value, options);
  return form.isWrapped ? { result: plain } : (plain as Plain);
}

/** The beginning of an absolute path on POSIX and Windows, also as a URL. */
const ROOT = String.raw`(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])`;
/** Paths in quotes, as in Node's errors, which may contain spaces. */
const QUOTED = new RegExp(String.raw`(['"\x60])${ROOT}[\w.@+~-][^'"\x60\n]*\1`, 'g');
/** Paths with at least two names: `/tmp` reveals nothing, and `1/2` is not a path. */
const BARE = new RegExp(String.raw`(?<![\w/.:-])${ROOT}[\w.@+~-]+(?:[\\/][\w.@+~-]+)+`, 'g');

/** Removes paths of the local machine from a text. */
export function removePaths(text: string): string {
  return text.replace(QUOTED, '$1[path]$1').replace(BARE, '[path]');
}
