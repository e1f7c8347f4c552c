import { ErrorCode, type CallToolResult, type ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { mapStrings } from '../../../common/mapStrings.js';
import type { DispatchServices } from '../../../dispatch/CallRun.js';
import { ToolRefusal, ToolValidationError } from '../../../error/toolErrors.js';
import type { RenderedPrompt } from '../../../prompt/RenderedPrompt.js';
import type { ToolCall } from '../../../value/ToolCall.js';
import type { ToolOutcome } from '../../../value/ToolOutcome.js';
import { McpContent } from './McpContent.js';
import { structuredContent } from './structuredContent.js';
import { withoutPaths } from './withoutPaths.js';
import { outputForm } from './outputForm.js';
import { protocolError } from './protocolError.js';

/**
 * What the client gets of a call: the text that any model would read, and the value where its form is declared.
 *
 * @throws McpError -32602 for a tool that is not offered
 */
export function callResult(
  rendered: RenderedPrompt,
  call: ToolCall,
  outcome: ToolOutcome,
  { redaction, serialiser, logger }: DispatchServices,
): CallToolResult {
  if (outcome.kind === 'unknown') throw protocolError(ErrorCode.InvalidParams, outcome.text);
  if (outcome.kind !== 'succeeded') return failure(textOf(outcome));
  const tool = rendered.tool(call.name);
  const { value, message } = outcome.result;
  if (McpContent.is(value)) {
    const words: ContentBlock[] = message === '' || message === 'OK' ? [] : [McpContent.text(message)];
    return { content: [...words, ...value.blocks] };
  }
  const structured = tool === undefined ? undefined : structuredContent(tool, value, serialiser);
  if (structured === undefined && tool !== undefined && outputForm(tool) !== undefined)
    logger.warn(`MCP: ${call.name} declares a result and gave none: clients that check answers refuse this one.`);
  const hider = redaction.ofCall(tool, call.arguments);
  return {
    content: [McpContent.text(outcome.text)],
    ...(structured === undefined
      ? {}
      : { structuredContent: hider === undefined ? structured : mapStrings(structured, hider.spoken) }),
  };
}

/** A call that did not succeed, as the model reads it. */
export function failure(text: string): CallToolResult {
  return { content: [McpContent.text(text)], isError: true };
}

/** What a handler did not mean to say may tell of the machine that it runs on. */
function textOf({ kind, text, ...outcome }: Exclude<ToolOutcome, { kind: 'succeeded' }>): string {
  const isMeant = kind !== 'failed' || !('error' in outcome) || outcome.error === undefined;
  return isMeant || ToolRefusal.is(outcome.error) || ToolValidationError.is(outcome.error) ? text : withoutPaths(text);
}
