import { didYouMean, quote } from '../../common/text.js';
import type { Rule } from '../PromptDraft.js';
import { sectionFinding } from './toolFinding.js';

/** E304, E305: placeholders are properties of the params class, and dollar signs are placeholders or doubled. */
export const templatePlaceholders: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const { template, params } = section;
    if (template === undefined) return [];
    const known = (params?.fields ?? []).map(({ property }) => property);
    const unknown = template.placeholders.filter((name) => !known.includes(name)).sort();
    const stray =
      template.strayDollarAt === undefined
        ? []
        : [sectionFinding('E305', section, `a dollar sign stands alone at ${quote(template.strayDollarAt)}`)];
    return [
      ...stray,
      ...unknown.map((placeholder) => {
        const owner =
          params === null
            ? 'the section has no params class'
            : `${params.name} has no such property.${didYouMean(placeholder, known)}`;
        return sectionFinding('E304', section, `the placeholder "${placeholder}" has no value: ${owner}`, {
          placeholder,
        });
      }),
    ];
  });
