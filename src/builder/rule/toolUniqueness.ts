import type { Rule, ToolDraft } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** E104: a tool name is unique in the whole prompt; the later one is at fault. */
export const toolUniqueness: Rule = ({ allTools }) => {
  const first = new Map<string, ToolDraft>();
  return allTools.flatMap((tool) => {
    const other = first.get(tool.name);
    if (other === undefined) {
      first.set(tool.name, tool);
      return [];
    }
    return [
      toolFinding(
        'E104',
        tool,
        `the tool name "${tool.name}" is already used by ${other.place} in section ${other.sectionPath}`,
        { placeholder: tool.name },
      ),
    ];
  });
};
