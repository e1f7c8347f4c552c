/** A text that is checked against a format: V8 cannot end the first matches of a megabyte. */
export const MAX_FORMAT_CHARS = 10_000;
