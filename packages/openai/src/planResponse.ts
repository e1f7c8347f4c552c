import type { JsonValue, ModelRequest } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import {
  createDeferredTest,
  recordDeferred,
  recordMeans,
  planTools,
  readStrict,
  type ToolPlan,
} from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';

/** The value of `closedTools` in the means of a conversation in which items add tools. */
const BY_ITEMS = 'additional_tools';

/** The tools of a conversation with the Responses API. */
export interface ResponsePlan extends ToolPlan {
  /** The tools that an item may add; undefined if the host does not take such items. */
  readonly addable: ReadonlyMap<string, ToolSchema> | undefined;
  /** Returns true for tools of `tools` that the model finds by searching. */
  readonly isDeferred: (tool: ToolSchema) => boolean;
}

/** How the tools of a request are written. */
export interface PlanSettings {
  readonly strict: boolean;
  /** True if the host takes items that add tools. */
  readonly additionalTools: boolean;
  /** Returns true for tools that the model finds by searching. */
  readonly isDeferred: (tool: ToolSchema) => boolean;
}

/**
 * Returns true for models that are known to take items that add tools, by their names: GPT-5.6 and newer. The provider does not list
 * such models; the official client has the item since then.
 */
export function canAddTools(model: string): boolean {
  const [, major = '', minor = '0'] = /^gpt-(\d+)(?:\.(\d+))?(?![\d.])/.exec(model) ?? [];
  return Number(major) > 5 || (major === '5' && Number(minor) >= 6);
}

/** Decides how the tools of a conversation are written and how they come and go; for `ModelAdapter.means`. */
export function decideResponseMeans(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>,
  { strict, additionalTools, isDeferred }: PlanSettings,
): JsonValue {
  const plan = additionalTools ? { closedTools: BY_ITEMS, strict } : recordMeans(begin, 'openai', { strict });
  return { ...plan, ...recordDeferred(begin.offeredTools?.('openai', { strict }) ?? [], isDeferred) };
}

/** Returns the tools of a request, as decided when the conversation began. */
export function planResponse(request: ModelRequest, settings: PlanSettings): ResponsePlan {
  const { means } = request;
  const strict = readStrict(means, settings.strict);
  const isDeferred = createDeferredTest(means, settings.isDeferred);
  const recorded = isRecord(means) ? means['closedTools'] : undefined;
  const isByItems = typeof recorded === 'string' ? recorded === BY_ITEMS : settings.additionalTools;
  if (isByItems) {
    const tools = request.offeredTools?.('openai', { strict }) ?? request.toolSchemas('openai', { strict });
    const closed = request.closedTools?.('openai', { strict }) ?? [];
    const addable = new Map(closed.map((tool) => [tool.name, tool]));
    return { tools, bridge: undefined, textOf, received: (call) => call, addable, isDeferred };
  }
  const plan = planTools(request, 'openai', { strict });
  // The provider's search would find the tools of closed sections that are listed.
  const hasClosed = (request.closedTools?.('openai', plan.bridge === undefined ? { strict } : {}) ?? []).length > 0;
  const isOpen = plan.bridge !== undefined || !hasClosed;
  return {
    ...plan,
    addable: undefined,
    isDeferred: (tool) => isOpen && tool.name !== plan.bridge && isDeferred(tool),
  };
}

const textOf: ToolPlan['textOf'] = ({ content }) => content;
