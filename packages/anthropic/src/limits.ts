/** The client asks for a stream beyond it, since an answer in one piece would take too long for its connection. */
export const MAX_UNSTREAMED_TOKENS = 8_192;
/** Requests that continue one paused answer (docs/providers.md). */
export const MAX_PIECES = 10;
