import type { JsonValue } from '../../common/types.js';
import type { ModelRequest, ToolSchema } from '../../interface/ModelAdapter.js';
import { isFields } from '../../provider/fields.js';
import { planMeans, planTools, type ToolPlan } from '../../provider/toolPlan.js';

/** The value of `closedTools` in the means of a conversation whose tools are added by items. */
const BY_ITEMS = 'additional_tools';

/** The tools of a conversation with the Responses API. */
export interface ResponsePlan extends ToolPlan {
  /** The tools that an item may add; undefined if the host does not take such items. */
  readonly addable: ReadonlyMap<string, ToolSchema> | undefined;
  /** True if closed tools are among `tools`, so that the provider's search would find them. */
  readonly isListed: boolean;
}

/** How the tools of a request are written. */
interface PlanSettings {
  readonly strict: boolean;
  /** True if the host takes items that add tools. */
  readonly additionalTools: boolean;
}

/**
 * True for models that are known to take items that add tools, by their names: GPT-5.6 and newer. The provider lists no models;
 * the official client has the item since then.
 */
export function addsTools(model: string): boolean {
  const [, major = '', minor = '0'] = /^gpt-(\d+)(?:\.(\d+))?(?![\d.])/.exec(model) ?? [];
  return Number(major) > 5 || (major === '5' && Number(minor) >= 6);
}

/** Decides how the tools of a conversation come and go; for `ModelAdapter.means`. */
export function responseMeans(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>,
  { strict, additionalTools }: PlanSettings,
): JsonValue {
  return additionalTools ? { closedTools: BY_ITEMS } : planMeans(begin, 'openai', { strict });
}

/** Returns the tools of a request, as it was decided when the conversation began. */
export function responsePlan(request: ModelRequest, { strict, additionalTools }: PlanSettings): ResponsePlan {
  const closed = request.closedTools?.('openai', { strict }) ?? [];
  const recorded = isFields(request.means) ? request.means['closedTools'] : undefined;
  const isByItems = typeof recorded === 'string' ? recorded === BY_ITEMS : additionalTools;
  if (isByItems) {
    const tools = request.offeredTools?.('openai', { strict }) ?? request.toolSchemas('openai', { strict });
    const addable = new Map(closed.map((tool) => [tool.name, tool]));
    return { tools, bridge: undefined, textOf, received: (call) => call, addable, isListed: false };
  }
  const plan = planTools(request, 'openai', { strict });
  return { ...plan, addable: undefined, isListed: closed.length > 0 && plan.bridge === undefined };
}

const textOf: ToolPlan['textOf'] = ({ content }) => content;
