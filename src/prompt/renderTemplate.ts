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
    // Reading both keys is faster than asking which one is there.
    const { text: literal, placeholder } = part as { readonly text?: string; readonly placeholder?: string };
    if (placeholder === undefined) {
      text += literal ?? '';
      continue;
    }
    const value = (params as Readonly<Record<string, unknown>> | null)?.[placeholder];
    if (value === undefined) {
      throw new PromptRenderError(`the placeholder "${placeholder}" has no value`, {
        code: 'E503',
        sectionPath: section.path,
        placeholder,
        paramsType: section.params?.name,
      });
    }
    if (typeof value === 'string') text += value;
    else if (value !== null) text += textOf(value, placeholder, section);
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
