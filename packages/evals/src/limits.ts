/** One line of a file of tasks or results. docs/evals.md */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Time of one run, when the eval does not say otherwise. docs/evals.md */
export const DEFAULT_RUN_TIMEOUT_MS = 300_000;
/** Time of one scorer, which may ask a model. docs/evals.md */
export const DEFAULT_SCORE_TIMEOUT_MS = 60_000;
/** Runs at the same time; providers limit requests, and most accounts allow these. A default. */
export const DEFAULT_CONCURRENCY = 4;
/** Runs at the same time. More would only wait for sockets. */
export const MAX_CONCURRENCY = 1_000;
/** Repeats of a task. Intervals of one task are narrow enough with far fewer. */
export const MAX_EPOCHS = 1_000;
/** The answer of a run in its result; the whole text is scored. */
export const MAX_KEPT_TEXT_CHARS = 4_000;
/** Calls of a run in its result; all of them are scored. */
export const MAX_KEPT_CALLS = 100;
/** The arguments of a call in a result. */
export const MAX_KEPT_ARGUMENTS_CHARS = 1_000;
/** The reason of a score. */
export const MAX_REASON_CHARS = 4_000;
/** Places at which an end state is wrong; a person corrects the first ones first. */
export const MAX_DIFFERENCES = 20;
/** A value in the text of a difference. */
export const MAX_DIFFERENCE_CHARS = 200;
/** Failed runs that a report shows with their answers and calls: a page with more takes seconds to open. docs/evals.md */
export const MAX_SHOWN_FAILURES = 500;
/** Tasks that a page lists; the JSON has all. */
export const MAX_LISTED_TASKS = 5_000;
/** Sizes k for which pass@k and pass^k are computed. */
export const MAX_PASS_K = 20;
/** Clusters whose signs are all tried in a significance test; more are sampled. */
export const MAX_EXACT_CLUSTERS = 16;
/** Samples of a significance test: p is exact to about 0.002 near 0.05. */
export const SIGN_FLIPS = 20_000;
/** Samples of a significance test with very many clusters. */
export const MIN_SIGN_FLIPS = 2_000;
/** Signs that all samples of a test flip together: about a second. */
export const MAX_FLIPPED_SIGNS = 200_000_000;
/** The text of a run that a judge reads: a longer one would exceed the window of most models. */
export const MAX_JUDGED_CHARS = 200_000;
