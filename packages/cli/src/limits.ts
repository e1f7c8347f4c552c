/** Source files of a project that are read. */
export const MAX_PROJECT_SOURCES = 5_000;
/** Lines of changes that are shown. */
export const MAX_CHANGE_LINES = 12;
/** Files of one run of oxlint: a command line has a limited length. */
export const MAX_LINTED_FILES = 200;
/** A folder with more files is not the folder of one application. */
export const MAX_SEARCHED_FILES = 5_000;
/** Causes of an error that are shown: a cause may lead back to itself. */
export const MAX_CAUSES = 5;
/** A file or an input, unless the command says otherwise. */
export const MAX_INPUT_BYTES = 16 * 1024 * 1024;
/** A transcript; a bundle has the bounds of its reader. */
export const MAX_TRANSCRIPT_BYTES = 128 * 1024 * 1024;
/** A value of an event on one line. */
export const MAX_EVENT_CHARS = 200;
/** Default of `--concurrency`: handlers that wait do so together, and few enough that a machine is not overloaded. */
export const DEFAULT_CONCURRENT_REPLAYS = 4;
/** Default of `--timeout`: a handler that hangs must not hang the check. */
export const DEFAULT_REPLAY_SECONDS = 10;
/** A text of a bundle on one line. */
export const MAX_BUNDLE_TEXT_CHARS = 100;
/** A message on one line. */
export const MAX_MESSAGE_CHARS = 100;
/** Deeper lines are not indented any further: indentation alone would grow with the square of the levels. */
export const MAX_INDENTED_LEVELS = 50;
/** Values of one snapshot of `prove`: a sandbox holds test data, not a production data set. */
export const MAX_SNAPSHOT_VALUES = 200_000;
/** Nested objects of one snapshot. */
export const MAX_SNAPSHOT_DEPTH = 12;
/** Changes of a trace that are listed. */
export const MAX_TRACE_LINES = 8;
/** A path or value of a trace. */
export const MAX_TRACE_CHARS = 80;
/** Writes of one call after which `prove` throws, each in turn. */
export const MAX_THROWN_WRITES = 12;
/** Arguments from the schema that are tried until a call succeeds. */
export const MAX_TRIED_ARGUMENTS = 30;
/** Hostile arguments of one tool, beside the fixed ones. */
export const HOSTILE_ARGUMENTS = 24;
/** Default of `prove --timeout`. */
export const DEFAULT_PROVE_SECONDS = 5;
/** The timeout that `prove` gives a tool: short, because every handler is held until it has passed. */
export const SHORT_TIMEOUT_MS = 40;
/** How long `prove` waits for writes after the end of a stopped call. */
export const LATE_WRITE_MS = 60;
