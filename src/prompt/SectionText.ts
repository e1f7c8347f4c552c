import { describeValue } from '../common/text.js';
import { PromptRenderError } from '../error/PromptError.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { Template } from '../metadata/Template.js';

/** The result of `String` for an object without its own text, as a single value or in a list. */
const NAMES_A_TYPE = /(?:^|,)\[object \w+\](?:,|$)/;

/**
 * The body or the summary of a section: its template and the last filled text. Prompts are rendered again and again,
 * and little changes between two renderings.
 */
export class SectionText {
  readonly #section: SectionMetadata;
  readonly #placeholders: readonly string[];
  /** The text around the placeholders: one more literal than there are placeholders. */
  readonly #literals: readonly string[];
  /** The index of the placeholder between two literals. */
  readonly #slots: readonly number[];
  /** True if the text begins and ends with literals that need no trimming. */
  readonly #isTrimmed: boolean;
  /** The values of the last rendering, by placeholder. */
  #values: readonly unknown[];
  /**
   * The text with those values. Undefined until the values are used twice: most values that change are never used
   * again.
   */
  #text: string | undefined;

  constructor({ parts, placeholders }: Template, section: SectionMetadata) {
    const literals: string[] = [];
    const slots: number[] = [];
    let literal = '';
    for (const part of parts) {
      if ('text' in part) literal += part.text;
      else {
        literals.push(literal);
        slots.push(placeholders.indexOf(part.placeholder));
        literal = '';
      }
    }
    literals.push(literal);
    this.#section = section;
    this.#placeholders = placeholders;
    this.#literals = literals;
    this.#slots = slots;
    this.#isTrimmed = /^\S/.test(literals[0] ?? '') && /\S$/.test(literals.at(-1) ?? '');
    this.#values = placeholders.map(() => undefined);
  }

  /**
   * Fills in the values: `null` as nothing, dates as ISO 8601, other values by `String`. Placeholders in inserted text
   * are not filled in.
   *
   * @throws PromptRenderError E503 for an undefined value, and for a value that prints only its type, such as "[object
   * Object]"
   */
  fill(params: object | null): string {
    const values = this.#read(params);
    if (values !== this.#values) {
      this.#values = values;
      this.#text = undefined;
      return this.#fillSlots(values);
    }
    if (this.#text !== undefined) return this.#text;
    const text = this.#fillSlots(values);
    if (values.every(isFixed)) this.#text = text;
    return text;
  }

  /** Returns the same list while the values are unchanged: a new list for each rendering costs more than comparing. */
  #read(params: object | null): readonly unknown[] {
    const given = params as Readonly<Record<string, unknown>> | null;
    const last = this.#values;
    let values: unknown[] | undefined;
    for (let index = 0; index < last.length; index++) {
      const value = given?.[this.#placeholders[index] as string];
      if (Object.is(value, last[index])) continue;
      values ??= last.slice();
      values[index] = value;
    }
    return values ?? last;
  }

  #fillSlots(values: readonly unknown[]): string {
    let text = this.#literals[0] as string;
    for (let index = 0; index < this.#slots.length; index++) {
      const slot = this.#slots[index] as number;
      const value = values[slot];
      if (typeof value === 'string') text += value;
      else if (value === undefined) throw this.#createMissingError(this.#placeholders[slot] as string);
      else if (value !== null) text += this.#writeValue(value, this.#placeholders[slot] as string);
      text += this.#literals[index + 1] as string;
    }
    return this.#isTrimmed ? text : text.trim();
  }

  #writeValue(value: unknown, placeholder: string): string {
    let text: string;
    try {
      text = value instanceof Date ? value.toISOString() : String(value);
    } catch (cause) {
      throw this.#createError(`the value of "${placeholder}" has no text form`, placeholder, cause);
    }
    if (typeof value === 'function' || (typeof value === 'object' && NAMES_A_TYPE.test(text)))
      throw this.#createError(
        `the value of "${placeholder}" is ${describeValue(value)}, which has no text form`,
        placeholder,
      );
    return text;
  }

  #createMissingError(placeholder: string): PromptRenderError {
    return this.#createError(`the placeholder "${placeholder}" has no value`, placeholder);
  }

  #createError(problem: string, placeholder: string, cause?: unknown): PromptRenderError {
    const { path, params } = this.#section;
    const details = { code: 'E503', sectionPath: path, placeholder, paramsType: params?.name, cause } as const;
    return new PromptRenderError(problem, details);
  }
}

/** Returns true for values that always have the same text. */
function isFixed(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

/** Creates the texts of a section's body and summary, or null for a missing template. */
export function compileTexts(section: SectionMetadata): Readonly<Record<'body' | 'summary', SectionText | null>> {
  const { template, summary } = section;
  return {
    body: template === undefined ? null : new SectionText(template, section),
    summary: summary === undefined ? null : new SectionText(summary, section),
  };
}
