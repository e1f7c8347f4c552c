import type { PromptDraft, Rule } from '../PromptDraft.js';
import { toolFinding } from './toolFinding.js';

/** The tools that a prompt with summaries offers by itself. */
const opening: readonly string[] = ['open_sections', 'read_section'];

/** E104: the names of the tools that a prompt offers besides those of its sections are reserved. */
export const reservedToolNames: Rule = (draft) => {
  const owners = ownersOfNames(draft);
  return draft.allTools.flatMap((tool) => {
    const owner = owners.get(tool.name);
    if (owner === undefined) return [];
    return [toolFinding('E104', tool, `the tool name "${tool.name}" is that of ${owner}`, { placeholder: tool.name })];
  });
};

/** The names that a prompt gives its own tools and those of its extensions, each with what has it. */
export function ownersOfNames({ allSections, options }: PromptDraft): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  if (allSections.some(({ summary }) => summary !== undefined))
    for (const name of opening) owners.set(name, 'the tool which shows summarised sections of this prompt');
  for (const { name, toolNames } of options.extensions ?? [])
    for (const toolName of toolNames) owners.set(toolName, `a tool of the extension ${name}`);
  return owners;
}
