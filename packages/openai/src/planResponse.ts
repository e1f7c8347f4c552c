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
  /** Returns true for tools of `tools` that the provider's search finds. */
  readonly isDeferred: (tool: ToolSchema) => boolean;
  /** The tool of `tools` that is declared as the provider's own search; undefined if it is a function, or if there is none. */
  readonly search: string | undefined;
  /** The tools that such a search may find, as its results define them. */
  readonly findable: ReadonlyMap<string, ToolSchema>;
}

/** How the tools of a request are written. */
export interface PlanSettings {
  readonly strict: boolean;
  /** True if the host takes items that add tools. */
  readonly additionalTools: boolean;
  /** True if the host takes searches that the client answers. */
  readonly toolSearch: boolean;
  /** Returns true for tools that the provider's search finds. */
  readonly isDeferred: (tool: ToolSchema) => boolean;
}

/**
 * Returns true for models that are known to take items that add tools, by their names: GPT-5.6 and newer. The provider does not list
 * such models; the official client has the item since then.
 */
export function canAddTools(model: string): boolean {
  return isGpt5OrNewer(model, 6);
}

/** Returns true for models that have the provider's search, by their names: GPT-5.4 and newer, as the provider's guide says. */
export function canSearchTools(model: string): boolean {
  return isGpt5OrNewer(model, 4);
}

function isGpt5OrNewer(model: string, least: number): boolean {
  const [, major = '', minor = '0'] = /^gpt-(\d+)(?:\.(\d+))?(?![\d.])/.exec(model) ?? [];
  return Number(major) > 5 || (major === '5' && Number(minor) >= least);
}

/** Decides how the tools of a conversation are written and how they come and go; for `ModelAdapter.means`. */
export function decideResponseMeans(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools' | 'searchTool'>,
  { strict, additionalTools, toolSearch, isDeferred }: PlanSettings,
): JsonValue {
  const plan = additionalTools ? { closedTools: BY_ITEMS, strict } : recordMeans(begin, 'openai', { strict });
  const deferred = recordDeferred(begin.offeredTools?.('openai', { strict }) ?? [], isDeferred);
  // A result cannot define tools that are listed, and a request has one search: the provider's where the host defers tools.
  const isSearched = toolSearch && plan['closedTools'] !== 'listed' && deferred.deferred === undefined;
  const { searchTool } = begin;
  return { ...plan, ...deferred, ...(isSearched && searchTool !== undefined ? { toolSearch: searchTool } : {}) };
}

/** Returns the tools of a request, as decided when the conversation began. */
export function planResponse(request: ModelRequest, settings: PlanSettings): ResponsePlan {
  const { means } = request;
  const strict = readStrict(means, settings.strict);
  const isDeferred = createDeferredTest(means, settings.isDeferred);
  const { closedTools: recorded, toolSearch } = isRecord(means) ? means : {};
  const isByItems = typeof recorded === 'string' ? recorded === BY_ITEMS : settings.additionalTools;
  const search = typeof toolSearch === 'string' ? toolSearch : undefined;
  const closed = isByItems || search !== undefined ? (request.closedTools?.('openai', { strict }) ?? []) : [];
  const definitions = new Map(closed.map((tool) => [tool.name, tool]));
  const searched = { search, findable: definitions };
  if (isByItems) {
    const tools = request.offeredTools?.('openai', { strict }) ?? request.toolSchemas('openai', { strict });
    return {
      tools,
      bridge: undefined,
      textOf,
      received: (call) => call,
      addable: definitions,
      isDeferred,
      ...searched,
    };
  }
  const plan = planTools(request, 'openai', { strict });
  // The provider's search would find the tools of closed sections that are listed.
  const hasClosed = (request.closedTools?.('openai', plan.bridge === undefined ? { strict } : {}) ?? []).length > 0;
  const isOpen = plan.bridge !== undefined || !hasClosed;
  return {
    ...plan,
    ...searched,
    addable: undefined,
    isDeferred: (tool) => isOpen && tool.name !== plan.bridge && isDeferred(tool),
  };
}

const textOf: ToolPlan['textOf'] = ({ content }) => content;
