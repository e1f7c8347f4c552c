/** Requests that continue one paused answer (docs/providers.md). */
export const MAX_PIECES = 10;
