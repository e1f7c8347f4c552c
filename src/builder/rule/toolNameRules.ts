import { didYouMean } from '../../common/text.js';
import type { ToolPolicy } from '../../interface/ToolPolicy.js';
import type { Rule, PromptDraft } from '../PromptDraft.js';
import { createClassFinding, createSectionFinding, createToolFinding } from './createFindings.js';
import { everyCaller } from '../../value/ToolCall.js';

/** Checks that policies name tools of their prompt (E315). A policy would never apply to a misspelt name. */
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
    ...faults(options.policies).map((problem) => createClassFinding('E315', type, problem, details)),
    ...allSections.flatMap((section) =>
      faults(section.options.policies).map((problem) => createSectionFinding('E315', section, problem, details)),
    ),
    ...allTools.flatMap((tool) =>
      faults(tool.options.policies).map((problem) => createToolFinding('E315', tool, problem, details)),
    ),
  ];
};

/** Reports tools that an extension of the prompt cannot support, such as E661: at creation instead of at rendering. */
export const checkExtensionTools: Rule = ({ options, allTools }) => {
  const byName = new Map(allTools.map((tool) => [tool.name, tool]));
  const tools = [...byName.values()].map(({ name, options: { callers = everyCaller } }) => ({ name, callers }));
  return (options.extensions ?? []).flatMap((extension) =>
    (extension.check?.(tools) ?? []).flatMap(({ code, toolName, problem }) => {
      const tool = byName.get(toolName);
      const objection = `the extension ${extension.name} cannot use the tool "${toolName}": ${problem}`;
      return tool === undefined ? [] : [createToolFinding(code, tool, objection, { placeholder: toolName })];
    }),
  );
};

/** The tools that Toolwright adds to a prompt with summaries. */
const opening: readonly string[] = ['open_sections', 'read_section'];

/** Checks that no tool has the name of a tool that the prompt offers besides those of its sections (E104). */
export const checkReservedToolNames: Rule = (draft) => {
  const owners = mapNameOwners(draft);
  return draft.allTools.flatMap((tool) => {
    const owner = owners.get(tool.name);
    if (owner === undefined) return [];
    return [
      createToolFinding('E104', tool, `the tool name "${tool.name}" is reserved for ${owner}`, {
        placeholder: tool.name,
      }),
    ];
  });
};

/** Maps the reserved names of the prompt and its extensions to their owners. */
export function mapNameOwners({ allSections, options }: PromptDraft): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  if (allSections.some(({ summary }) => summary !== undefined))
    for (const name of opening) owners.set(name, 'the tool which shows summarised sections of this prompt');
  if (options.search !== undefined && options.search !== false)
    owners.set('search_tools', 'the tool which searches this prompt');
  for (const { name, toolNames } of options.extensions ?? [])
    for (const toolName of toolNames) owners.set(toolName, `a tool of the extension ${name}`);
  return owners;
}
