/** Returns a number of tokens that a provider reported; undefined if it is not a number of tokens. */
export function readTokenCount(given: unknown): number | undefined {
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}
