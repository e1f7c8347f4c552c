import type { Rule } from '../PromptDraft.js';
import { sectionFinding } from './toolFinding.js';

/** E311: every section has a title. */
export const sectionTitle: Rule = ({ allSections }) =>
  allSections
    // Code without types may leave it out.
    .filter(({ options }) => ((options.title as string | undefined) ?? '').trim() === '')
    .map((section) => sectionFinding('E311', section, 'the title is empty'));
