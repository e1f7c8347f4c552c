import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E201: the declared result can be described. */
export const toolResult: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    if (tool.result === null || 'kind' in tool.result) return [];
    return [
      toolFinding('E201', tool, `its result cannot be described: ${tool.result.problem}`, { placeholder: 'result' }),
    ];
  });
