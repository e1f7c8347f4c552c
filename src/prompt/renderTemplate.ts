import { PromptRenderError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { Template } from '../metadata/Template.js';

/**
 * Fills a template: `null` renders as nothing, other values by `String`; inserted text is never looked at again.
 *
 * @throws PromptRenderError E503 for an undefined value
 */
export function renderTemplate(template: Template, params: object | null, section: SectionMetadata): string {
  let text = '';
  for (const part of template.parts) {
    if ('text' in part) {
      text += part.text;
      continue;
    }
    const value = (params as Readonly<Record<string, unknown>> | null)?.[part.placeholder];
    if (value === undefined) {
      throw new PromptRenderError(`the placeholder "${part.placeholder}" has no value`, {
        code: 'E503',
        sectionPath: section.path,
        placeholder: part.placeholder,
        paramsType: section.params?.name,
      });
    }
    if (value !== null) text += textOf(value, part.placeholder, section);
  }
  return text.trim();
}

function textOf(value: unknown, placeholder: string, section: SectionMetadata): string {
  try {
    return String(value);
  } catch (cause) {
    throw new PromptRenderError(`the value of "${placeholder}" has no text form`, {
      code: 'E503',
      sectionPath: section.path,
      placeholder,
      cause,
    });
  }
}
