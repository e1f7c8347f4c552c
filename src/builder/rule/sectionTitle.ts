import type { Rule } from '../PromptDraft.js';
import { emptyText } from './emptyText.js';
import { sectionFinding } from './toolFinding.js';

/** E311: every section has a title. */
export const sectionTitle: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const problem = emptyText(section.options.title);
    return problem === undefined ? [] : [sectionFinding('E311', section, `the title is ${problem}`)];
  });
