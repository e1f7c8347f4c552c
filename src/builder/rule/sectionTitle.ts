import type { Rule } from '../PromptDraft.js';
import { sectionFinding } from './toolFinding.js';

/** E311: every section has a title. */
export const sectionTitle: Rule = ({ allSections }) =>
  allSections
    .filter(({ options }) => options.title.trim() === '')
    .map((section) => sectionFinding('E311', section, 'the title is empty'));
