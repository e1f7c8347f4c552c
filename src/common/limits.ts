// Arguments, results and values (docs/limitations.md, docs/security.md)

/** Arguments and answers: parsing longer ones would hold the event loop. */
export const MAX_JSON_BYTES = 1_048_576;
/** Arguments and answers: parsers of models' JSON and our own checks are recursive. */
export const MAX_DEPTH_LEVELS = 64;
/** Values in arguments, and in other data that is checked value by value; a plan of 10,000 steps fits. More hold the event loop. */
export const MAX_VALUES = 20_000;
/** The bounds of arguments and answers. */
export const MAX_EXTENT = Object.freeze({ values: MAX_VALUES, depth: MAX_DEPTH_LEVELS });
/** Issues found in one value: a model reads some twenty, and a hostile value has as many as it has parts. */
export const MAX_ISSUES = 100;
/** A model reads no more issues than these. */
export const MAX_HINTED_ISSUES = 20;
/** Issues of another library that are converted; a hostile value can have a hundred thousand. */
export const MAX_FOREIGN_ISSUES = 100;
/** Declared results: their check is recursive, and deeper ones would overflow the stack. */
export const MAX_RESULT_LEVELS = 500;
/** Items of a declared list of a result. */
export const MAX_LIST_ITEMS = 4_194_304;
/** Options of a union that one issue explains to a model. */
export const MAX_EXPLAINED_OPTIONS = 3;
/** Members of an enum that a message names. */
export const MAX_NAMED_MEMBERS = 100;
/** Levels of a result that are searched for promises; deeper ones are not written either. */
export const MAX_SEARCHED_LEVELS = 64;
/** A value whose getters make new objects has no end. */
export const MAX_SEARCHED_OBJECTS = 1_000_000;
/** Holes of sparse lists that are visited one by one. */
export const MAX_SEARCHED_HOLES = 1_000_000;
/** Results are written recursively; deeper parts are only mentioned. */
export const MAX_WRITTEN_LEVELS = 64;
/** Objects that are written although they have been written before; further ones are only mentioned. */
export const MAX_REPEATED_OBJECTS = 10_000;
/** Items of lists and properties of objects in one written result. */
export const MAX_WRITTEN_ENTRIES = 4_194_304;
/** Texts in one written result, together. */
export const MAX_WRITTEN_CHARS = 33_554_432;
/** Items of a collection that can only be iterated: it may have no end. */
export const MAX_ITERATED_ITEMS = 10_000;
/** Deeper and larger values are written by way of a copy, which recognises objects that it has met. */
export const MAX_PLAIN_LEVELS = 32;
/** See `MAX_PLAIN_LEVELS`. */
export const MAX_PLAIN_ENTRIES = 20_000;
/** See `MAX_PLAIN_LEVELS`. */
export const MAX_PLAIN_CHARS = 1_000_000;
/** Values that the host gives as JSON: `JSON.stringify` and later readers are recursive. */
export const MAX_JSON_LEVELS = 200;
/** Objects that hold the next one twice, level by level, would otherwise never come to an end. */
export const MAX_JSON_VALUES = 1_000_000;
/** Places of faults that one message names: a hostile list has as many as it has items. */
export const MAX_NAMED_PLACES = 20;
/** Redaction is recursive; deeper parts are left out. */
export const MAX_REDACTED_LEVELS = 200;
/** Names that a misspelling is compared with: more would take too long. */
export const MAX_COMPARED_NAMES = 500;
/** Issues in the message of an error. */
export const MAX_SHOWN_ISSUES = 10;
/** Values that JSON would lose and that a message names. */
export const MAX_NAMED_LOSSES = 10;
/** The address in the description of a part: signed ones are long. */
export const MAX_SHOWN_URL_CHARS = 200;
/** Parts of one result or message together, unless the application says otherwise. */
export const DEFAULT_PART_BYTES = 20 * 1_048_576;
/** Parts of one result or message; no provider takes more. */
export const MAX_PARTS = 100;
/** The address of a part. */
export const MAX_PART_URL_CHARS = 8_192;
/** The file name of a part. */
export const MAX_PART_NAME_CHARS = 255;
/** A value as a model reads it; a longer one would fill its context. */
export const DEFAULT_RESULT_CHARS = 100_000;

// Times of checks (docs/limitations.md)

/** Work holds the event loop for at most this long before it lets other work run. */
export const TIME_SLICE_MS = 5;
/** A check that runs code of others, which may match patterns by backtracking. */
export const MAX_CHECK_MS = 40;
/** Attempts at a check: the clock goes on while other processes have the processor. */
export const MAX_CHECK_ATTEMPTS = 3;
/** Another attempt where the time of this thread is unknown: other threads may have had the processor. */
export const MIN_CHECK_MS = 2;
/** All matches of one check, before it is watched. */
export const MAX_MATCHES_MS = 15;
/** A check of another library that is not watched. */
export const MAX_UNWATCHED_CHECK_MS = 10;
/** A text that a pattern of another library is matched with. V8 ends a match only when it backtracks, and may read a megabyte before it does. */
export const MAX_MATCHED_CHARS = 100_000;
/** Keywords, members and subschemas that the values of one unwatched check are compared with: some milliseconds. */
export const MAX_SCHEMA_STEPS = 20_000;
/** A schema that is weighed; people do not write deeper ones. */
export const MAX_SCHEMA_LEVELS = 100;
/** Attempts to read values as one option of a union, for all values of a check together. */
export const MAX_UNION_ATTEMPTS = 20_000;
/** References of a schema that are inlined: a few lines can expand to more text than memory holds. */
export const MAX_INLINED_REFERENCES = 1_000;

// Patterns (docs/limitations.md, docs/security.md)

/** A pattern that is compiled. */
export const MAX_PATTERN_CHARS = 1_000;
/** Classes such as `\p{L}` in one pattern: each takes a third of a millisecond to compile. */
export const MAX_PATTERN_PROPERTIES = 40;
/** A compiled pattern, without the few instructions of RE2 itself: each takes memory, and time with each character. */
export const MAX_PATTERN_INSTRUCTIONS = 2_000;
/** One match, in instructions times characters: some 15 ms on a slow core. */
export const MAX_MATCH_STEPS = 250_000;
/** Compiled patterns in the cache. */
export const MAX_KEPT_PATTERNS = 1_000;
/** A count in the message about a pattern; it grows by a factor of a thousand with each nested repetition. */
export const MAX_SHOWN_COUNT = 1_000_000;
/** Characters after the last part of variable length: V8 looks for them at each of its characters. */
export const MAX_TRAILING_CHARS = 8;
/** A pattern that is looked at for the shortcut. */
export const MAX_SHORT_PATTERN_CHARS = 200;
/** RE2 repeats a part at most this often. */
export const MAX_REPETITIONS = 1_000;

// Calls (docs/tool-chaining.md)

/** The end of a call waits this long for work that the call has begun. */
export const CALL_END_MS = 5_000;
/** Libraries wrap the error of a driver, some of them twice. */
export const MAX_SQL_CAUSES = 8;
/** Reports of a broken port; more would fill the log. */
export const MAX_PORT_REPORTS = 100;
/** Long enough for a policy that asks a service; a person is asked by an approver. */
export const DEFAULT_POLICY_MS = 30_000;
/** The key that signs pending calls: a shorter one could be guessed. */
export const MIN_KEY_CHARS = 32;
/** A shorter result is hardly longer than the beginning that stays in its place. */
export const MIN_SPILLED_TOKENS = 200;
/** All calls of one turn together. */
export const DEFAULT_TURN_MS = 600_000;
/** One feedback provider: every call of its tools waits for it. */
export const MAX_FEEDBACK_MS = 5_000;
/** Issues of arguments in the text to the model. */
export const MAX_ISSUE_CHARS = 1_000;
/** Streams shorten a longer message of `context.reportProgress`. */
export const MAX_PROGRESS_CHARS = 1_000;
/** Issues of a result in the text to the model. */
export const MAX_RESULT_ISSUES = 5;
/** All issues of a result in the text to the model, together. */
export const MAX_RESULT_ISSUE_CHARS = 800;
/** Issues of a result that one line of the log names. */
export const MAX_LOGGED_ISSUES = 5;
/** Nested calls, where the handler of each makes the next one. */
export const MAX_NESTED_CALLS = 64;
/** The time of a refusal that is deducted from its repair: a busy machine may take longer to refuse. */
export const MAX_DEDUCTED_MS = 32;
/** A record of a pending call: its own fields, and arguments. */
export const PENDING_CALL_EXTENT = { values: MAX_EXTENT.values + 100, depth: MAX_EXTENT.depth + 1 };
/** Corrected arguments that a model is shown; it has longer ones in its own call. */
export const MAX_REPAIRED_CHARS = 4_000;
/** Repairs that the text to the model names. */
export const MAX_NAMED_REPAIRS = 10;
/** Attempts after a conflict, without an option: the next attempt reads the changed data. */
export const MAX_CONFLICT_ATTEMPTS = 2;
/** One entry of a shortened value: fewer characters say nothing. */
export const MIN_SHOWN_CHARS = 40;
/** Shorter secrets would match ordinary words. */
export const MIN_SECRET_CHARS = 4;
/** The search of one call's texts, in characters and comparisons: some milliseconds. Longer texts occur only in attacks and are hidden as a whole. */
export const MAX_SECRET_STEPS = 10_000_000;
/** Layers of escapes that are decoded: JSON within JSON six times, in an address that was encoded three times, and one more. */
export const MAX_ESCAPE_LAYERS = 10;
/** Layers of escapes of a secret, which may look encoded itself: an address leaves its `%41`, and encodes the rest. */
export const MAX_SECRET_LAYERS = 2;
/** Units that are passed as arguments of one function: V8 has a bound for them. */
export const MAX_SPREAD_UNITS = 1_000;

// Runs (docs/failures.md, docs/conversations.md)

/** Requests of one run, unless its options say otherwise. */
export const DEFAULT_MAX_TURNS = 100;
/** Answers of one run that completion checkers may refuse, unless its options say otherwise. */
export const DEFAULT_MAX_REFUSED = 3;
/** One completion checker: it may ask another model, but must not hold up a run for ever. */
export const MAX_COMPLETION_CHECK_MS = 60_000;
/** Issues of an answer in the text to the model. */
export const MAX_ANSWER_ISSUE_CHARS = 2_000;
/** Requests when the provider throttles. */
export const MAX_THROTTLED_ATTEMPTS = 5;
/** The longest pause before the second request; it doubles with each further one. */
export const FIRST_PAUSE_MS = 500;
/** One pause, unless the provider asks for a longer one. */
export const MAX_PAUSE_MS = 8_000;
/** All pauses before one answer. */
export const MAX_PAUSES_MS = 30_000;
/** All pauses before `fallback` goes on with the next adapter: its user waits, and another provider may answer at once. */
export const MAX_FALLBACK_PAUSES_MS = 5_000;
/** Repeated requests to an adapter of `fallback`, without an option. */
export const DEFAULT_FALLBACK_RETRIES = 2;
/** Failed requests in a row that open the circuit of an adapter of `fallback`, without an option. */
export const DEFAULT_CIRCUIT_FAILURES = 3;
/** How long the circuit of an adapter stays open, without an option. */
export const DEFAULT_CIRCUIT_OPEN_MS = 30_000;
/** Faulty messages that an error names. */
export const MAX_NAMED_MESSAGES = 10;
/** An answer in the provider's form: as much as the entry of a log that holds it can be read with. */
export const NATIVE_EXTENT = { values: 100_000, depth: 250 };
/** A reply is an entry, and every later reader of the log reads it. */
export const MAX_REPLY_CHARS = 100_000;
/** A transcript that is read. */
export const MAX_TRANSCRIPT_CHARS = 128 * 1024 * 1024;
/** All messages of a transcript together: small values take twenty times the memory of their text. */
export const MAX_TRANSCRIPT_VALUES = 5_000_000;
/** One message of a transcript. */
export const MESSAGE_EXTENT = { values: 120_000, depth: 300 };
/** A store appends; a run does not go on without it. */
export const MAX_APPEND_MS = 30_000;
/** The part of a long result that stays in its place. */
export const RESULT_BEGINNING_CHARS = 400;
/** A long result in a list of results. */
export const RESULT_CUE_CHARS = 80;
/** One entry: six times as many values as arguments, and state of a session, which has at most 256 levels. */
export const ENTRY_EXTENT = { values: 120_000, depth: 300 };
/** A part that the host, its session or the provider decides: the tools of a large prompt, or the results of a search. */
export const LARGE_ENTRY_EXTENT = { ...ENTRY_EXTENT, values: 2_000_000 };
/** A conversation that is read from plain data, unless its reader says otherwise. */
export const MAX_CONVERSATION_ENTRIES = 100_000;
/** Requests of one run for summarised sections, unless its budget says otherwise. */
export const DEFAULT_EXPANSIONS = 8;
/** A nearer deadline is refused: no request would end in time. */
export const MIN_AHEAD_MS = 1_000;
/** Characters that the patterns see at once: over a word of many megabytes, V8 runs out of room for its way back. */
export const MAX_ESTIMATED_CHARS = 1_000_000;
/** Words in the cache. */
export const MAX_KNOWN_WORDS = 10_000;
/** A word in the cache. */
export const MAX_KNOWN_CHARS = 24;
/** A timer that is set for longer fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;
/** Late errors of subscribers that are kept. */
export const MAX_LATE_ERRORS = 1_000;
/** The model is warned when less time is left, unless the provider's options say otherwise. */
export const DEFAULT_THRESHOLD_SECONDS = 120;
/** Nested tables of a resource whose methods can fail on purpose. */
export const MAX_METHOD_LEVELS = 4;

// Prompts (docs/prompts.md, docs/limitations.md)

/** Levels of sections in a prompt. */
export const MAX_SECTION_LEVELS = 64;
/** Providers take no longer names of tools. */
export const MAX_TOOL_NAME_CHARS = 64;
/** The description of a tool: the most that all providers take, or more with `toolTexts: 'wide'`. */
export const MAX_DESCRIPTION_CHARS = { portable: 200, wide: 1_024 };
/** Dollar signs in the texts of all sections: each may begin a placeholder, which is looked up in each rendering. */
export const MAX_DOLLARS = 10_000;
/** Issues of a request for sections in the text to the model. */
export const MAX_OPENING_ISSUES = 5;
/** The reason of a request for sections. */
export const MAX_REASON_CHARS = 256;

// Providers (docs/providers.md)

/** Shorter keys are placeholders such as `mock`, which may occur in any text. */
export const MIN_REDACTED_KEY_CHARS = 8;
/** Levels of an error of a client that are redacted. */
export const MAX_ERROR_LEVELS = 6;
/** Tools that a request to Anthropic may defer. */
export const MAX_DEFERRED_TOOLS = 10_000;
/** Definitions of the tools that a request to Anthropic defers, together. */
export const MAX_DEFERRED_BYTES = 4 * 1_048_576;
/** The message of a provider in an error. */
export const MAX_FAILURE_CHARS = 500;
/** Causes of an error of a client whose messages are kept. */
export const MAX_FAILURE_CAUSES = 4;
/** Estimated tokens of closed tools that are listed; beyond them, a bridge costs less over a conversation. Measured in decision 43, and computed again by spec/provider/closedToolCosts.spec.ts. */
export const MAX_LISTED_TOKENS = 600;
/** An unreadable answer in the message of an error. */
export const MAX_SHOWN_ANSWER_CHARS = 300;

// Sessions and resources (docs/state.md, docs/database.md, docs/limitations.md)

/** Calls that fail one after the other leave a branch each; a branch farther from its root forgets its origin. */
export const MAX_BRANCH_LEVELS = 64;
/** State below the root, with the levels of the slice's name and of the position in it. */
export const MAX_STATE_LEVELS = 256;
/** A session that is read from JSON; the place of deeper state is found when it is read. */
export const MAX_SESSION_JSON_LEVELS = 300;
/** A rollback waits for statements of the handler, so that it does not fall between two of them. */
export const ROLLBACK_GRACE_MS = 1_000;
/** Closing a resource of the application: a pool waits for its connections. */
export const MAX_CLOSE_MS = 30_000;
/** As on most hosts, so that a path that is valid in memory is valid there, too. */
export const MAX_PATH_CHARS = 4_096;
/** As on most hosts. */
export const MAX_NAME_BYTES = 255;
/** One file of a filesystem that sets no other maximum. */
export const MAX_FILE_BYTES = 10_000_000;
/** All files in memory together, unless another maximum is set: files that models write stay there. */
export const MAX_MEMORY_FILES_CHARS = 64_000_000;
/** The part of a line that is searched and returned. */
export const MAX_SEARCHED_LINE_CHARS = 10_000;
/** A path or pattern in a message: serious ones are shorter. */
export const MAX_SHOWN_PATH_CHARS = 200;
/** A glob pattern. */
export const MAX_GLOB_CHARS = 1_000;
/** A transaction without a statement is ended, so that it does not hold locks. */
export const DEFAULT_IDLE_MS = 60_000;
