import type { MarkdownTemplate } from '../metadata/Template.js';

/**
 * Creates a template from placeholders that the compiler checks against the params class of the section. Otherwise
 * equivalent to the text `'…${name}…'` (docs/contract.md, 4).
 *
 * @example
 * template: md`Look an order up before you change it. Prefer ${'primaryTool'}.`
 */
export function md<const K extends readonly string[]>(
  strings: TemplateStringsArray,
  ...names: K
): MarkdownTemplate<Readonly<Record<K[number], unknown>>> {
  // An invalid escape has no cooked text, so the raw text is used.
  const texts = strings.map((text: string | undefined, index) => text ?? strings.raw[index] ?? '');
  return Object.freeze({ strings: texts, names });
}
