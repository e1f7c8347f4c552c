import type { Rule } from '../PromptDraft.js';
import { hookMember, hooks } from '../hooks.js';
import { sectionFinding } from './toolFinding.js';

/** E314: a member with the name of a hook can be called, unless an option replaces it. */
export const sectionHooks: Rule = ({ allSections }) =>
  allSections.flatMap((section) =>
    hooks.flatMap((name) => {
      const { problem } = section.options[name] === undefined ? hookMember(section.type, name) : {};
      return problem === undefined
        ? []
        : [sectionFinding('E314', section, problem, { member: name, placeholder: name })];
    }),
  );
