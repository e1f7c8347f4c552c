import type { ModelRequest } from 'toolwright';
import type { SchemaOptions, ToolSchema } from 'toolwright/adapters';
import { planTools, type ToolPlan } from 'toolwright/internal';
import type { AnthropicMeans } from './decideMeans.js';
import { writeMessageTools, type MessageTool, type ToolModes } from './writeMessageTools.js';

/** The tools of a request, which are the same in every request of its conversation. */
export interface ConversationTools {
  readonly tools: readonly MessageTool[];
  /** Every tool, and whether the model has it from the start; undefined if messages do not offer and withdraw tools. */
  readonly available: ReadonlyMap<string, boolean> | undefined;
  /** How closed tools are reached otherwise. */
  readonly plan: Pick<ToolPlan, 'received' | 'textOf'>;
}

/** Tools are called by their names, and texts do not mention others. */
const DIRECT: ConversationTools['plan'] = { textOf: ({ content }) => content, received: (call) => call };

/**
 * Writes the tools of a request. Where messages can offer tools, closed tools are included from the start, deferred; otherwise they
 * are listed, or reached through one tool that never changes.
 *
 * @param means the means of the conversation; undefined for a request without one
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function writeConversationTools(
  adapter: string,
  request: ModelRequest,
  means: AnthropicMeans | undefined,
  modes: ToolModes,
): ConversationTools {
  const examples = request.toolExamples;
  const closedTools = (options?: SchemaOptions): readonly ToolSchema[] =>
    request.closedTools?.('anthropic', options) ?? [];
  if (means?.toolChanges !== true) {
    const planned = (options?: SchemaOptions): ToolPlan =>
      planTools(request, 'anthropic', { ...options, means: means?.plan });
    const plan = planned();
    const names = new Set(closedTools().map(({ name }) => name));
    const schemas = (options?: SchemaOptions): readonly ToolSchema[] =>
      (options === undefined ? plan : planned(options)).tools;
    const isDeferred = (tool: ToolSchema): boolean =>
      // A search would find the tools of closed sections.
      !names.has(tool.name) && tool.name !== plan.bridge && modes.isDeferred(tool);
    return {
      tools: writeMessageTools(adapter, { schemas, examples }, { ...modes, isDeferred }),
      available: undefined,
      plan,
    };
  }
  const offeredTools = (options?: SchemaOptions): readonly ToolSchema[] =>
    request.offeredTools?.('anthropic', options) ?? request.toolSchemas('anthropic', options);
  const closed = closedTools();
  const names = new Set(closed.map(({ name }) => name));
  const schemas = (options?: SchemaOptions): readonly ToolSchema[] => [
    ...offeredTools(options),
    ...(options === undefined ? closed : closedTools(options)),
  ];
  const opening = { ...modes, toolChanges: true, isDeferred: ({ name }: ToolSchema): boolean => names.has(name) };
  return {
    tools: writeMessageTools(adapter, { schemas, examples }, closed.length === 0 ? modes : opening),
    available: new Map(schemas().map(({ name }) => [name, !names.has(name)])),
    plan: DIRECT,
  };
}
