import type { MarkdownTemplate } from '../metadata/Template.js';

/**
 * Creates a template whose placeholders the compiler checks against the section's params class; otherwise equivalent to the text
 * `'…${name}…'` (docs/contract.md, 4).
 *
 * @example
 * template: md`Look an order up before you change it. Prefer ${'primaryTool'}.`
 */
export function md<const K extends readonly string[]>(
  strings: TemplateStringsArray,
  ...names: K
): MarkdownTemplate<Readonly<Record<K[number], unknown>>> {
  // An invalid escape has no cooked text; the raw text is the next best.
  const texts = strings.map((text: string | undefined, index) => text ?? strings.raw[index] ?? '');
  return Object.freeze({ strings: texts, names });
}
