import { className } from '../../common/classes.js';
import { didYouMean } from '../../common/text.js';
import { createFinding } from '../../error/Finding.js';
import type { ToolPolicy } from '../../interface/ToolPolicy.js';
import type { Rule, PromptDraft } from '../PromptDraft.js';
import { createSectionFinding, createToolFinding } from './createFindings.js';
import { everyCaller } from '../../value/ToolCall.js';

/** E315: the tools that a policy names are tools of its prompt; it would never apply to a misspelt one. */
export const checkPolicyTools: Rule = ({ type, options, allSections, allTools }) => {
  const known = new Set(allTools.map(({ name }) => name));
  const faults = (policies: readonly ToolPolicy[] = []): readonly string[] =>
    policies.flatMap(({ name: policy, tools = [] }) =>
      tools
        .filter((tool) => !known.has(tool))
        .map((tool) => {
          const hint = didYouMean(tool, known);
          return `policy ${policy} names the tool "${tool}", which the prompt does not have${hint === '' ? '' : `.${hint}`}`;
        }),
    );
  const details = { placeholder: 'policies' };
  return [
    ...faults(options.policies).map((problem) =>
      createFinding('E315', problem, { place: className(type), className: className(type), ...details }),
    ),
    ...allSections.flatMap((section) =>
      faults(section.options.policies).map((problem) => createSectionFinding('E315', section, problem, details)),
    ),
    ...allTools.flatMap((tool) =>
      faults(tool.options.policies).map((problem) => createToolFinding('E315', tool, problem, details)),
    ),
  ];
};

/** Tools that an extension of the prompt cannot support, such as E661: reported at creation, not at rendering. */
export const checkExtensionTools: Rule = ({ options, allTools }) => {
  const byName = new Map(allTools.map((tool) => [tool.name, tool]));
  const tools = [...byName.values()].map(({ name, options: { callers = everyCaller } }) => ({ name, callers }));
  return (options.extensions ?? []).flatMap((extension) =>
    (extension.check?.(tools) ?? []).flatMap(({ code, toolName, problem }) => {
      const tool = byName.get(toolName);
      const objection = `the extension ${extension.name} cannot take the tool "${toolName}": ${problem}`;
      return tool === undefined ? [] : [createToolFinding(code, tool, objection, { placeholder: toolName })];
    }),
  );
};

/** The tools that a prompt with summaries offers by itself. */
const opening: readonly string[] = ['open_sections', 'read_section'];

/** E104: the names of the tools that a prompt offers besides those of its sections are reserved. */
export const checkReservedToolNames: Rule = (draft) => {
  const owners = mapNameOwners(draft);
  return draft.allTools.flatMap((tool) => {
    const owner = owners.get(tool.name);
    if (owner === undefined) return [];
    return [
      createToolFinding('E104', tool, `the tool name "${tool.name}" is that of ${owner}`, { placeholder: tool.name }),
    ];
  });
};

/** The names that a prompt gives its own tools and those of its extensions, each with what has it. */
export function mapNameOwners({ allSections, options }: PromptDraft): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  if (allSections.some(({ summary }) => summary !== undefined))
    for (const name of opening) owners.set(name, 'the tool which shows summarised sections of this prompt');
  for (const { name, toolNames } of options.extensions ?? [])
    for (const toolName of toolNames) owners.set(toolName, `a tool of the extension ${name}`);
  return owners;
}
