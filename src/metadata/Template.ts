/** A piece of a template: literal text, or the name of a property to insert. */
export type TemplatePart = { readonly text: string } | { readonly placeholder: string };

/** A template created with the tag `md`. The compiler knows its placeholders. `P` is the params class. */
export interface MarkdownTemplate<P = unknown> {
  /** The text around the placeholders: one more text than there are names. */
  readonly strings: readonly string[];
  readonly names: readonly string[];
  /** For the compiler only: the params class that the placeholders need. */
  readonly needs?: ((params: P) => void) | undefined;
}

/** A section's template: a text, or the result of the tag `md`. */
export type TemplateSource<P = unknown> = string | MarkdownTemplate<P>;

/** A compiled template. */
export interface Template {
  readonly parts: readonly TemplatePart[];
  readonly placeholders: readonly string[];
}
