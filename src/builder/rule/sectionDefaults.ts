import { className } from '../../common/classes.js';
import type { Rule } from '../PromptDraft.js';
import { asInstance } from '../asInstance.js';
import { sectionFinding } from './toolFinding.js';

/** E309: defaults fit the params class of the section. */
export const sectionDefaults: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const { defaults } = section.options;
    if (defaults === undefined) return [];
    if ((defaults as unknown) === null || typeof defaults !== 'object') {
      return [sectionFinding('E309', section, 'its defaults are not an object')];
    }
    if (section.params === null) return [sectionFinding('E309', section, 'it has defaults, but no params class')];
    const made = asInstance(section.params, defaults);
    return made.ok
      ? []
      : [sectionFinding('E309', section, `its defaults are no ${className(section.params.type)}: ${made.problem}`)];
  });
