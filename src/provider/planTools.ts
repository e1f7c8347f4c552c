import { isArray, isRecord } from '../common/guards.js';
import { MAX_LISTED_TOKENS } from '../common/limits.js';
import type { JsonValue } from '../common/types.js';
import type { ModelRequest, SchemaOptions, SchemaTarget, ToolSchema } from '../interface/ModelAdapter.js';
import { approximateTokens } from '../limit/approximateTokens.js';
import type { Message } from '../value/Message.js';
import type { ToolCall } from '../value/ToolCall.js';
import { unwrapBridgeCall, chooseBridgeName, createBridgeTool } from './bridgeTool.js';

/** Options of `planTools`. */
export interface ToolPlanOptions extends SchemaOptions {
  /** The value that `recordMeans` returned when the conversation began; by default `means` of the request. */
  readonly means?: JsonValue | undefined;
}

/** The tools of a conversation with a provider that cannot add tools later (decision 43). */
export interface ToolPlan {
  /** The tools for the request: the same list in every request of the conversation. */
  readonly tools: readonly ToolSchema[];
  /** The name of the tool through which closed tools are called. Undefined if they are listed, or if there are none. */
  readonly bridge: string | undefined;
  /**
   * Returns the text of a message as it is sent. With a bridge, the schemas of the added tools follow, because they are
   * not sent elsewhere. The same message always yields the same text.
   */
  readonly textOf: (message: ToolChanger) => string;
  /** Converts a received call. A call of the bridge becomes a call of the tool that it names, with its `wireName`. */
  readonly received: (call: ToolCall) => ToolCall;
}

/** A message that may change the tools. */
type ToolChanger = Extract<Message, { role: 'user' | 'tool' }>;

type Begin = Pick<ModelRequest, 'offeredTools' | 'closedTools'>;

/**
 * Decides how the closed tools of a conversation are reached. For `ModelAdapter.means`.
 *
 * @param options `strict` is recorded as well, if it is given
 * @returns plain JSON, which `planTools` reads in every later request
 */
export function recordMeans(
  begin: Begin,
  target: SchemaTarget,
  options: SchemaOptions = {},
): Readonly<Record<string, string | boolean>> {
  const { strict } = options;
  const fixed = strict === undefined ? {} : { strict };
  const closed = begin.closedTools?.(target, options) ?? [];
  if (estimateToolTokens(closed) <= MAX_LISTED_TOKENS) return { closedTools: 'listed', ...fixed };
  const names = [...(begin.offeredTools?.(target, options) ?? []), ...closed].map(({ name }) => name);
  return { closedTools: 'bridge', bridge: chooseBridgeName(names), ...fixed };
}

/** Returns the names of the tools that the model finds by searching, to be recorded. */
export function recordDeferred(
  tools: readonly ToolSchema[],
  isDeferred: (tool: ToolSchema) => boolean,
): { readonly deferred?: readonly string[] } {
  const deferred = tools.filter(isDeferred).map(({ name }) => name);
  return deferred.length === 0 ? {} : { deferred };
}

/**
 * Returns a test for tools that the model finds by searching: as recorded when the conversation began, or else as the
 * host decides.
 */
export function createDeferredTest(
  means: JsonValue | undefined,
  own: (tool: ToolSchema) => boolean,
): (tool: ToolSchema) => boolean {
  // Without a strictness, the record is older than the list of deferred tools.
  if (!isRecord(means) || typeof means['strict'] !== 'boolean') return own;
  const deferred = new Set<unknown>(isArray(means['deferred']) ? means['deferred'] : []);
  return ({ name }) => deferred.has(name);
}

/** Returns the strictness that was recorded when a conversation began, or else the adapter's own. */
export function readStrict(means: JsonValue | undefined, own: boolean): boolean {
  const strict = isRecord(means) ? means['strict'] : undefined;
  return typeof strict === 'boolean' ? strict : own;
}

/**
 * Returns the tools of a request to a provider that cannot add tools later. A few closed tools are listed from the
 * start; many are called through one tool that never changes. Without a conversation, returns the tools of the request.
 */
export function planTools(request: ModelRequest, target: SchemaTarget, options: ToolPlanOptions = {}): ToolPlan {
  const { means = request.means, strict } = options;
  const schemas = strict === undefined ? {} : { strict: readStrict(means, strict) };
  const offered = request.offeredTools?.(target, schemas) ?? request.toolSchemas(target, schemas);
  if (request.closedTools === undefined) return planListedTools(offered);
  const { bridge } = readPlan(means) ?? readPlan(recordMeans(request, target, schemas)) ?? {};
  if (bridge === undefined) return planListedTools([...offered, ...request.closedTools(target, schemas)]);
  // Only a provider that enforces strict schemas needs them.
  return planBridgedTools(offered, request.closedTools(target), createBridgeTool(bridge, target));
}

function planListedTools(tools: readonly ToolSchema[]): ToolPlan {
  return { tools, bridge: undefined, textOf: ({ content }) => content, received: (call) => call };
}

function planBridgedTools(offered: readonly ToolSchema[], closed: readonly ToolSchema[], bridge: ToolSchema): ToolPlan {
  const byName = new Map(closed.map((tool) => [tool.name, tool]));
  return {
    tools: [...offered, bridge],
    bridge: bridge.name,
    textOf: ({ content, tools }) => {
      const added = (tools?.added ?? []).flatMap((name) => byName.get(name) ?? []);
      return added.length === 0 ? content : [content, ...describeAddedTools(bridge.name, added)].join('\n');
    },
    received: (call) => unwrapBridgeCall(call, bridge.name, (name) => byName.get(name)),
  };
}

/** Writes the lines that tell the model which tools the bridge reaches from here on. */
function describeAddedTools(bridge: string, added: readonly ToolSchema[]): readonly string[] {
  return [
    '',
    `Call ${added.length === 1 ? 'this tool' : 'these tools'} with ${bridge}:`,
    ...added.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })),
  ];
}

/** Reads the result of `recordMeans`. Returns undefined for any other value. */
function readPlan(means: unknown): { readonly bridge?: string } | undefined {
  if (!isRecord(means)) return undefined;
  const { closedTools, bridge } = means;
  if (closedTools === 'listed') return {};
  return closedTools === 'bridge' && typeof bridge === 'string' ? { bridge } : undefined;
}

function estimateToolTokens(tools: readonly ToolSchema[]): number {
  return tools.reduce((sum, { name, description, parameters }) => {
    return sum + approximateTokens(JSON.stringify({ name, description, parameters }));
  }, 0);
}
