import { PromptRenderError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { Template } from '../metadata/Template.js';

/** A template as it is filled, and what it gave the last time. */
interface Form {
  /** The text around the placeholders; one more than there are slots. */
  readonly literals: readonly string[];
  /** Which of the template's placeholders stands between two of them. */
  readonly slots: readonly number[];
  /** Whether nothing that is filled in can begin or end it. */
  readonly isTrimmed: boolean;
  /** Undefined before the first time, and where a value may say something else of itself next time. */
  values: readonly unknown[] | undefined;
  text: string;
}

// Prompts are rendered again and again, and between two times little changes.
const forms = new WeakMap<Template, Form>();

/**
 * Fills a template: `null` renders as nothing, other values by `String`; inserted text is never looked at again.
 *
 * @throws PromptRenderError E503 for an undefined value
 */
export function renderTemplate(template: Template, params: object | null, section: SectionMetadata): string {
  const form = forms.get(template) ?? formOf(template);
  const { placeholders } = template;
  const values: unknown[] = [];
  let isSame = form.values !== undefined;
  for (let index = 0; index < placeholders.length; index++) {
    const value = (params as Readonly<Record<string, unknown>> | null)?.[placeholders[index] as string];
    values.push(value);
    isSame &&= Object.is(value, form.values?.[index]);
  }
  if (isSame) return form.text;
  const text = fill(form, values, placeholders, section);
  form.values = values.every(isFixed) ? values : undefined;
  form.text = text;
  return text;
}

function formOf(template: Template): Form {
  const literals: string[] = [];
  const slots: number[] = [];
  let literal = '';
  for (const part of template.parts) {
    if ('text' in part) literal += part.text;
    else {
      literals.push(literal);
      slots.push(template.placeholders.indexOf(part.placeholder));
      literal = '';
    }
  }
  literals.push(literal);
  const isTrimmed = /^\S/.test(literals[0] ?? '') && /\S$/.test(literals.at(-1) ?? '');
  const form: Form = { literals, slots, isTrimmed, values: undefined, text: '' };
  forms.set(template, form);
  return form;
}

function isFixed(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function fill(
  { literals, slots, isTrimmed }: Form,
  values: readonly unknown[],
  placeholders: readonly string[],
  section: SectionMetadata,
): string {
  let text = literals[0] as string;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    const value = values[slot];
    if (typeof value === 'string') text += value;
    else if (value === undefined) throw missing(placeholders[slot] as string, section);
    else if (value !== null) text += textOf(value, placeholders[slot] as string, section);
    text += literals[index + 1] as string;
  }
  return isTrimmed ? text : text.trim();
}

function missing(placeholder: string, section: SectionMetadata): PromptRenderError {
  return new PromptRenderError(`the placeholder "${placeholder}" has no value`, {
    code: 'E503',
    sectionPath: section.path,
    placeholder,
    paramsType: section.params?.name,
  });
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
