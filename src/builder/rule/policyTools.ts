import { className } from '../../common/classes.js';
import { didYouMean } from '../../common/text.js';
import { finding } from '../../error/Finding.js';
import type { ToolPolicy } from '../../interface/ToolPolicy.js';
import type { Rule } from '../PromptDraft.js';
import { sectionFinding, toolFinding } from './toolFinding.js';

/** E315: the tools that a policy names are tools of its prompt; it would never apply to a misspelt one. */
export const policyTools: Rule = ({ type, options, allSections, allTools }) => {
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
      finding('E315', problem, { place: className(type), className: className(type), ...details }),
    ),
    ...allSections.flatMap((section) =>
      faults(section.options.policies).map((problem) => sectionFinding('E315', section, problem, details)),
    ),
    ...allTools.flatMap((tool) =>
      faults(tool.options.policies).map((problem) => toolFinding('E315', tool, problem, details)),
    ),
  ];
};
