/** The part of a section that a rendering shows (docs/contract.md, 12). */
export const SectionVisibility = Object.freeze({
  /** Heading, body, tools and everything below. */
  FULL: 'full',
  /** Heading and summary. Tools and everything below are left out until the model asks for them. */
  SUMMARY: 'summary',
});

/** One of the values of `SectionVisibility`. */
export type SectionVisibility = (typeof SectionVisibility)[keyof typeof SectionVisibility];

export function isVisibility(value: unknown): value is SectionVisibility {
  return value === SectionVisibility.FULL || value === SectionVisibility.SUMMARY;
}
