// Ready-made sections (docs/limitations.md)

/** A plan of so many steps is shown in full; of a longer one, this many steps that are still to be done. */
export const MAX_SHOWN_STEPS = 100;
/** The title of a step. */
export const MAX_STEP_CHARS = 500;
/** Steps of a plan, done or not: each call answers with all of them. */
export const MAX_PLAN_STEPS = 10_000;
/** A handle in a message. */
export const MAX_SHOWN_HANDLE_CHARS = 60;
/** A line that is shown. */
export const MAX_SHOWN_LINE_CHARS = 2_000;
/** A page, with lines counted as they are shown: below an application's default limit for results. */
export const MAX_PAGE_CHARS = 60_000;
/** A single line that a result may hold. */
export const MAX_CONTENT_CHARS = 1_000_000;
/** A line with a match that is shown. */
export const MAX_FOUND_LINE_CHARS = 300;
/** The part of that line before its match. */
export const MAX_CHARS_BEFORE_MATCH = 100;
/** Entries or paths in one result. */
export const MAX_RESULT_NAMES = 10_000;
/** All lines in one result together. */
export const MAX_RESULT_LINES_CHARS = 500_000;
/** A request that results in more was too broad. */
export const MAX_RESULT_LINES = 1_000;
/** A path that a model gives. */
export const MAX_GIVEN_PATH_CHARS = 4_096;
/** No name is encoded more often for a good reason. */
export const MAX_DECODING_ROUNDS = 8;
/** That path in a message. */
export const MAX_GIVEN_PATH_SHOWN_CHARS = 200;
