import { type ContentPart, type ToolContext, ToolRefusal, ToolResult } from 'toolwright';
import { findPrototypeKey } from 'toolwright/internal';
import { McpCallError } from './mcpErrors.js';
import { blocksOf, formatFailure, partsOf, toResourceValue, valueOf } from './answerValue.js';
import { askServer, type QuestionLimits } from './askServer.js';
import type { McpConnectionSource } from './McpConnection.js';
import type { RemoteDeclaration } from './readRemote.js';

/** The limits and the tool call of a request. */
export interface RequestScope {
  readonly limits: QuestionLimits;
  /** Undefined if a host calls the plain function. */
  readonly context: ToolContext | undefined;
}

/** Advice for the model, by the code of a failed request. */
const advice: Readonly<Record<string, string>> = {
  E678: 'Tell the user, or go on without it.',
  E684: 'Correct the call, or go on without it.',
  E685: 'Whether the call had an effect there is not known: check before you repeat it, or go on without it.',
  E686: 'Ask for less, or go on without it.',
};

/**
 * Calls a tool or reads a resource of a server.
 *
 * @throws ToolRefusal with the server's own message for a result that it marks as a failure. For a failed request, its cause is a
 * McpCallError (E684, E685, E686), which is logged as well
 */
export async function callRemote(
  source: McpConnectionSource,
  tool: RemoteDeclaration & { readonly name: string },
  params: unknown,
  call: RequestScope,
): Promise<ToolResult> {
  // The signal is read now, because a closed context does not have one.
  const signal = call.context?.signal;
  try {
    return await callTool(source, tool, params, call);
  } catch (thrown) {
    // An aborted call already has a reason.
    if (!(thrown instanceof McpCallError) || signal?.aborted === true) throw thrown;
    const { message, code } = thrown;
    call.context?.logger.warn(`${code} ${tool.name}: ${message}`, { code, error: thrown });
    throw new ToolRefusal(`${message} ${advice[code] ?? ''}`.trimEnd(), { cause: thrown });
  }
}

async function callTool(
  source: McpConnectionSource,
  { kind, output, question, remoteName }: RemoteDeclaration,
  params: unknown,
  { limits, context }: RequestScope,
): Promise<ToolResult> {
  const answer = await askServer(source, question(params), limits, context);
  if (kind !== 'tool') {
    const values = blocksOf(answer['contents']);
    const value = values.length === 1 ? toResourceValue(values[0] ?? {}) : valueOf(values.map(toBlock));
    return toValueResult(value, partsOf(values.map(toBlock)));
  }
  const { content, structuredContent, isError } = answer;
  if (isError === true) throw new ToolRefusal(formatFailure(blocksOf(content)));
  if (structuredContent === undefined && !Array.isArray(content))
    throw createDroppedError('it holds neither content nor structuredContent', remoteName);
  const wrong = output?.judge(structuredContent);
  if (wrong !== undefined)
    throw createDroppedError(`it is not what the tool declares: ${wrong.slice(0, 500)}`, remoteName);
  const key = findPrototypeKey(output?.schema ?? {}, structuredContent);
  if (key !== undefined)
    throw createDroppedError(`it has the key ${key.slice(0, 200)}, which could change a prototype`, remoteName);
  const blocks = blocksOf(content);
  return toValueResult(structuredContent === undefined ? valueOf(blocks) : structuredContent, partsOf(blocks));
}

function toBlock(resource: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'resource', resource };
}

/** Returns a result without a message, so that the model reads only the value and gets the parts. */
function toValueResult(value: unknown, parts: readonly ContentPart[]): ToolResult {
  return new ToolResult({ message: '', value, parts });
}

function createDroppedError(problem: string, place: string): McpCallError {
  return new McpCallError(`The answer of the MCP server was dropped: ${problem}.`, {
    code: 'E686',
    place,
  });
}
