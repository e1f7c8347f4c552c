import { PromptRenderError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { Template } from '../metadata/Template.js';

/** What a template gave for the values of its placeholders, in their order. */
interface Written {
  readonly values: readonly unknown[];
  readonly text: string;
}

// Prompts are rendered again and again, and between two times little changes.
const lastWritten = new WeakMap<Template, Written>();

/**
 * Fills a template: `null` renders as nothing, other values by `String`; inserted text is never looked at again.
 *
 * @throws PromptRenderError E503 for an undefined value
 */
export function renderTemplate(template: Template, params: object | null, section: SectionMetadata): string {
  const { placeholders } = template;
  const values = placeholders.map((name) => (params as Readonly<Record<string, unknown>> | null)?.[name]);
  const last = lastWritten.get(template);
  if (last?.values.every((value, index) => Object.is(value, values[index])) === true) return last.text;
  const text = write(template, values, section);
  if (values.every(isFixed)) lastWritten.set(template, { values, text });
  return text;
}

/** False for what may say something else of itself next time. */
function isFixed(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function write({ parts, placeholders }: Template, values: readonly unknown[], section: SectionMetadata): string {
  let text = '';
  for (const part of parts) {
    // Reading both keys is faster than asking which one is there.
    const { text: literal, placeholder } = part as { readonly text?: string; readonly placeholder?: string };
    if (placeholder === undefined) {
      text += literal ?? '';
      continue;
    }
    const value = values[placeholders.indexOf(placeholder)];
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
