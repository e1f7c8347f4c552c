import { didYouMean, quote } from '../../common/text.js';
import type { Finding } from '../../error/Finding.js';
import type { ClassShape } from '../../metadata/ClassShape.js';
import type { Template } from '../../metadata/Template.js';
import type { CompiledTemplate } from '../compileTemplate.js';
import type { Rule, SectionDraft } from '../PromptDraft.js';
import { createSectionFinding } from './createFindings.js';

/** Checks that placeholders are properties of the params class (E304), and that no dollar sign is stray (E305). */
export const checkTemplatePlaceholders: Rule = ({ allSections }) =>
  allSections.flatMap((section) => [
    ...checkTemplate(section, section.template, ''),
    ...checkTemplate(section, section.summary, 'in its summary, '),
  ]);

/** Finds the placeholders that name no property of the params class, in alphabetical order, each with its fault. */
export function findUnknownPlaceholders(
  { placeholders }: Template,
  params: ClassShape | null,
): readonly { readonly placeholder: string; readonly problem: string }[] {
  const known = (params?.fields ?? []).map(({ property }) => property);
  const unknown = placeholders.filter((name) => !known.includes(name)).sort();
  return unknown.map((placeholder) => {
    const owner =
      params === null
        ? 'the section has no params class'
        : `${params.name} has no such property.${didYouMean(placeholder, known)}`;
    return { placeholder, problem: `the placeholder "${placeholder}" has no value: ${owner}` };
  });
}

function checkTemplate(
  section: SectionDraft,
  template: CompiledTemplate | undefined,
  where: string,
): readonly Finding[] {
  if (template === undefined) return [];
  const { strayDollarAt } = template;
  const stray =
    strayDollarAt === undefined
      ? []
      : [createSectionFinding('E305', section, `${where}there is a stray dollar sign at ${quote(strayDollarAt)}`)];
  return [
    ...stray,
    ...findUnknownPlaceholders(template, section.params).map(({ placeholder, problem }) =>
      createSectionFinding('E304', section, where + problem, { placeholder }),
    ),
  ];
}
