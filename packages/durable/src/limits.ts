/** A failed job always comes again: after too many takeovers, the run is ended, not its job. */
export const MAX_JOB_RETRIES = 1_000_000;
/** Completed jobs are deleted after this time. */
export const JOB_KEPT_SECONDS = 3_600;
/** The pause after the first failure of a job; each further one is twice as long. */
export const FIRST_JOB_PAUSE_MS = 1_000;
/** The longest of these pauses. */
export const MAX_JOB_PAUSE_MS = 30_000;
/** The pause before a statement that failed for a passing reason is repeated; each further one is twice as long. */
export const FIRST_STATEMENT_PAUSE_MS = 50;
/** About six seconds in all. */
export const MAX_STATEMENT_REPETITIONS = 7;
/** A run that processes have left this often is ended, unless the options say otherwise (docs/durable.md). */
export const DEFAULT_TAKEOVERS = 10;
/** Runs that one process carries at a time, unless the options say otherwise. */
export const DEFAULT_CONCURRENCY_RUNS = 8;
/** The pause after the first failure of a run to be carried; each further one is twice as long. */
export const FIRST_STORE_PAUSE_MS = 500;
/** The longest of these pauses. */
export const MAX_STORE_PAUSE_MS = 30_000;
/** Aborted calls have this long to end, once a drain has waited. */
export const ABORTED_CALLS_MS = 2_000;
/** A drain that `await using` starts waits this long. */
export const DISPOSE_DRAIN_MS = 10_000;
/** A cancel meets another writer of the log this often before it gives up. */
export const MAX_CANCEL_ATTEMPTS = 100;
/** The pause between these attempts. */
export const CANCEL_PAUSE_MS = 50;
/** A worker in another process has this long to end a run that is cancelled; it looks every half second, unless the options say otherwise. */
export const MAX_CANCEL_WAIT_MS = 5_000;
/** Attempts to read a log before it counts as damaged. */
export const MAX_LOG_READINGS = 3;
/** A copy may meet another writer this often, such as a repetition of the same request. */
export const MAX_COPY_ATTEMPTS = 20;
/** The time between two looks for runs that are due, unless the options say otherwise. */
export const DEFAULT_POLL_MS = 500;
/** A reason is kept in the log and in the record: a longer one would hold up every reader of them. */
export const MAX_REASON_CHARS = 100_000;
/** A title is read with each page of chats, and shown in one line. */
export const MAX_TITLE_CHARS = 1_000;
/** Records on a page, unless the filter says otherwise. */
export const DEFAULT_PAGE_RECORDS = 100;
/** Records that one statement returns. */
export const MAX_RETURNED_RECORDS = 1_000_000;
/** The time between two looks for changes that other processes have made. */
export const WATCH_MS = 50;
/** The write-ahead log is emptied after this time if another connection was reading it. */
export const EMPTY_LOG_MS = 200;
/** Less than a run waits for its store. */
export const DEFAULT_LOCK_TIMEOUT_MS = 20_000;
