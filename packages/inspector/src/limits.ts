/** Bundles that are open at a time. */
export const MAX_OPEN_BUNDLES = 5;
/** Entries of running applications in memory. */
export const MAX_LIVE = { maxEntries: 100_000, maxBytes: 64_000_000 };
/** Sessions of which it is known that the beginning was dropped. */
export const MAX_CUT_SESSIONS = 10_000;
/** The time between looks at the store while a page is open. */
export const STORE_POLL_MS = 1_000;
/** Questions that are remembered; the oldest are forgotten first. */
export const MAX_SEEN_QUESTIONS = 10_000;
/** The client of a refused upload can read the answer for this long. The rest of the upload is thrown away meanwhile. */
export const LINGER_MS = 500;
/** The body of a request of the page. */
export const MAX_BODY_BYTES = 1024 * 1024;
