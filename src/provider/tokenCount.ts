/** A number of tokens as a provider reports it; undefined for anything that is none. */
export function tokenCount(given: unknown): number | undefined {
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
}
