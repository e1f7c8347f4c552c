import type { Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** The tools that a prompt with summaries offers of its own accord. */
const reserved: readonly string[] = ['open_sections', 'read_section'];

/** E104: where sections may be summarised, the tools that show them have their names for themselves. */
export const reservedToolNames: Rule = ({ allSections, allTools }) =>
  allSections.every(({ summary }) => summary === undefined)
    ? []
    : allTools
        .filter(({ name }) => reserved.includes(name))
        .map((tool) => {
          const problem = `the tool name "${tool.name}" is that of the tool which shows summarised sections of this prompt`;
          return toolFinding('E104', tool, problem, { placeholder: tool.name });
        });
