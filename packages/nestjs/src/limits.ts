/** A message of a chat, whatever body the platform accepts (docs/nestjs-reference.md). */
export const MAX_MESSAGE_CHARS = 200_000;
/** Reports of failed filters, one for each fault; more would fill the log. */
export const MAX_FILTER_REPORTS = 100;
/** Runs may go on this long after a shutdown has begun. */
export const DEFAULT_GRACE_MS = 5_000;
/** When a client may send its message again, if a provider that is down does not say. */
export const DEFAULT_RETRY_SECONDS = 5;
