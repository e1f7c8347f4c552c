import { SectionVisibility } from '../../value/SectionVisibility.js';
import type { Rule } from '../PromptDraft.js';
import { sectionFinding } from './toolFinding.js';

/** E510: a section with the visibility `summary` has a summary. */
export const sectionSummary: Rule = ({ allSections }) =>
  allSections
    .filter(({ options, summary }) => options.visibility === SectionVisibility.SUMMARY && summary === undefined)
    .map((section) => sectionFinding('E510', section, 'its visibility is "summary", and it has no summary'));
