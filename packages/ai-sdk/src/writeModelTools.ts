import type { ModelRequest } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import { planTools, refuseDeferred, refuseTools, type ToolPlan } from 'toolwright/internal';
import type { AiMeans } from './decideMeans.js';
import type { AiFunctionTool, AiJson, AiProviderOptions } from './AiLanguageModel.js';
import { mergeOptions, removeMarks } from './providerOptions.js';
import type { ToolModes } from './toolModes.js';

/** The tools of a request, and the way in which tools that come or go are announced. */
export interface AiTools extends Pick<ToolPlan, 'bridge' | 'textOf' | 'received'> {
  readonly tools: AiFunctionTool[];
  readonly means: AiMeans;
  /** The names of tools that the model may call from the beginning. */
  readonly offered: ReadonlySet<string>;
  /** The tools that are announced later, by name. */
  readonly later: ReadonlyMap<string, ToolSchema>;
}

/** Marks for tools that are not offered from the beginning. */
const LATER: Readonly<Record<string, AiProviderOptions>> = {
  toolChanges: { anthropic: { deferLoading: true } },
  additionalTools: { openai: { omitFromRequestTools: true } },
};

/**
 * Writes the tools of a request, after checking the provider's limits (docs/contract.md, 2). All requests of a conversation have the
 * same tools: all that were offered or closed when it began.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function writeModelTools(adapter: string, request: ModelRequest, modes: ToolModes, means: AiMeans): AiTools {
  const { target, strict, limits } = modes;
  const write = (tool: ToolSchema, isLater = false): AiFunctionTool => {
    const make = (): AiFunctionTool => writeFunctionTool(tool, request, modes, means, isLater);
    if (request.offeredTools === undefined) return make();
    // An adapter may continue conversations that began with other settings.
    const options = modes.optionsOf(tool);
    const form = [
      means.closedTools,
      isLater,
      modes.inputExamples,
      options === undefined ? '' : JSON.stringify(options),
    ];
    return memoize(modes.written, tool, form.join(' '), make);
  };
  const mark = LATER[means.closedTools];
  if (mark === undefined) {
    const { closedTools, bridge } = means;
    const plan = planTools(request, target, {
      strict,
      means: { closedTools, ...(bridge === undefined ? {} : { bridge }) },
    });
    refuseTools(adapter, plan.tools, limits);
    return {
      tools: plan.tools.map((tool) => write(tool)),
      means,
      offered: new Set(plan.tools.map(({ name }) => name)),
      later: new Map(),
      bridge: plan.bridge,
      textOf: (message) => plan.textOf(message),
      received: (call) => plan.received(call),
    };
  }
  const offered = request.offeredTools?.(target, { strict }) ?? request.toolSchemas(target, { strict });
  const closed = request.closedTools?.(target, { strict }) ?? [];
  refuseTools(adapter, offered, limits);
  refuseTools(adapter, closed, { ...limits, count: Infinity });
  if (means.closedTools === 'toolChanges') refuseDeferred(adapter, closed);
  return {
    tools: [...offered.map((tool) => write(tool)), ...closed.map((tool) => write(tool, true))],
    means,
    offered: new Set(offered.map(({ name }) => name)),
    later: new Map(closed.map((tool) => [tool.name, tool])),
    bridge: undefined,
    textOf: ({ content }) => content,
    received: (call) => call,
  };
}

function writeFunctionTool(
  schema: ToolSchema,
  request: Pick<ModelRequest, 'toolExamples' | 'offeredTools'>,
  { inputExamples, optionsOf, fixedOptions }: ToolModes,
  { closedTools }: AiMeans,
  isLater: boolean,
): AiFunctionTool {
  const { name, description, parameters, strict } = schema;
  const fixed = request.offeredTools === undefined ? undefined : fixedOptions;
  const given = optionsOf(schema);
  // The provider refuses a cache mark on a deferred tool.
  const providerOptions = isLater
    ? mergeOptions(fixed, removeMarks(given), LATER[closedTools])
    : mergeOptions(fixed, given);
  const examples = inputExamples ? (request.toolExamples?.(name) ?? []) : [];
  return {
    type: 'function',
    name,
    description,
    inputSchema: { ...parameters },
    ...(examples.length === 0
      ? {}
      : { inputExamples: examples.map((input) => ({ input: input as Record<string, AiJson> })) }),
    ...(strict ? { strict: true } : {}),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}

function memoize<K extends object, V>(all: WeakMap<K, Map<string, V>>, of: K, key: string, make: () => V): V {
  const known = all.get(of) ?? new Map<string, V>();
  all.set(of, known);
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
