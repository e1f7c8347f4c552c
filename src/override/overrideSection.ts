import { compileTemplate } from '../builder/compileTemplate.js';
import { findUnknownPlaceholders } from '../builder/rule/checkTemplatePlaceholders.js';
import { quote } from '../common/text.js';
import { PromptRenderError } from '../error/PromptError.js';
import type { SectionOverride } from '../interface/OverridesStore.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { Template } from '../metadata/Template.js';

/**
 * Returns the section with overridden texts.
 *
 * @throws PromptRenderError E523 for the alphabetically first unknown placeholder, or a stray dollar sign
 */
export function overrideSection(section: SectionMetadata, { body, summary }: SectionOverride): SectionMetadata {
  return Object.freeze({
    ...section,
    ...(body === undefined ? {} : { template: compileOverride(body, 'body', section) }),
    ...(summary === undefined ? {} : { summary: compileOverride(summary, 'summary', section) }),
  });
}

function compileOverride(text: string, name: string, { path, params }: SectionMetadata): Template {
  const { parts, placeholders, strayDollarAt } = compileTemplate(text);
  const template: Template = { parts, placeholders };
  const [unknown] = findUnknownPlaceholders(template, params);
  const stray = strayDollarAt === undefined ? undefined : `there is a stray dollar sign at ${quote(strayDollarAt)}`;
  const problem = stray ?? unknown?.problem;
  if (problem === undefined) return template;
  throw new PromptRenderError(`in the overriding ${name}, ${problem}`, {
    code: 'E523',
    sectionPath: path,
    placeholder: stray === undefined ? unknown?.placeholder : undefined,
    paramsType: params?.name,
  });
}
