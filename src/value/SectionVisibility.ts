/** How much of a section a rendering shows (docs/contract.md, 12). */
export const SectionVisibility = Object.freeze({
  /** Heading, body, tools and everything below. */
  FULL: 'full',
  /** Heading and summary; its tools and what stands below it wait until the model asks for them. */
  SUMMARY: 'summary',
});

/** One of the values of `SectionVisibility`. */
export type SectionVisibility = (typeof SectionVisibility)[keyof typeof SectionVisibility];

/** True for a value of `SectionVisibility`. */
export function isVisibility(value: unknown): value is SectionVisibility {
  return value === SectionVisibility.FULL || value === SectionVisibility.SUMMARY;
}
