import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E112, E201, E216: the result is declared once, and can be described. */
export const toolResult: Rule = ({ allTools }) =>
  allTools.flatMap((tool) => {
    if (tool.options.result !== undefined && tool.options.returnSchema !== undefined)
      return [toolFinding('E112', tool, 'it has result and returnSchema', { placeholder: 'returnSchema' })];
    if (tool.result === null || 'kind' in tool.result) return [];
    return [
      toolFinding(tool.result.code ?? 'E201', tool, `its result cannot be described: ${tool.result.problem}`, {
        placeholder: 'result',
        ...('remedy' in tool.result ? { remedy: tool.result.remedy } : {}),
      }),
    ];
  });
