import { MAX_VALUES } from 'toolwright/internal';

/** All patterns of one check: some 15 ms on a slow core. */
export const MAX_PATTERN_STEPS = 250_000;
/** A server's message about a failure. */
export const MAX_FAILURE_CHARS = 4_000;
/** Progress reports of one call; more would fill the log of events. */
export const MAX_PROGRESS_REPORTS = 1_000;
/** The message of a progress report. */
export const MAX_PROGRESS_CHARS = 1_000;
/** Objects, lists and values in one schema (docs/mcp-bridge.md). */
export const MAX_SCHEMA_VALUES = 10_000;
/** Keys and texts of one schema. */
export const MAX_SCHEMA_CHARS = 200_000;
/** One schema; it is read recursively. */
export const MAX_SCHEMA_LEVELS = 64;
/** References in one schema. */
export const MAX_SCHEMA_REFERENCES = 500;
/** Schemas that one value is checked against, without the schemas of its parts. */
export const MAX_SCHEMAS_AT_ONCE = 2_000;
/** Schemas that one check holds values against, which takes some ten milliseconds; tens of keys count as one. */
export const MAX_CHECK_STEPS = 25_000;
/** As many issues as a model reads. */
export const MAX_CHECK_ISSUES = 10;
/** A check is recursive, and so are the schemas that it follows. */
export const MAX_CHECK_LEVELS = 500;
/** A text that is checked against a format. */
export const MAX_FORMAT_CHARS = 2_000;
/** The description of a prompt of a server. */
export const MAX_PROMPT_DESCRIPTION_CHARS = 4_000;
/** Providers take no longer names of tools. */
export const MAX_NAME_CHARS = 64;
/** Tools, resources or prompts of one server (docs/mcp-bridge.md). */
export const MAX_LISTED_ENTRIES = 1_000;
/** Pages of such a list. */
export const MAX_LISTED_PAGES = 100;
/** Values of one page: each entry is bounded, and so are all together. */
export const MAX_PAGE_VALUES = 200_000;
/** The name of a tool or resource of a server. */
export const MAX_REMOTE_NAME_CHARS = 1_000;
/** The address of a resource of a server. */
export const MAX_URI_CHARS = 4_000;
/** The description of a tool or resource of a server. */
export const MAX_DESCRIPTION_CHARS = 4_000;
/** Objects, lists and values in all schemas of a server: their checks are built in one piece. */
export const MAX_ALL_SCHEMAS_VALUES = 20_000;
/** An answer of a server; writing it as JSON is recursive. */
export const MAX_ANSWER_LEVELS = 200;
/** An answer of a server: each value is checked, copied and written. */
export const MAX_ANSWER_VALUES = 20_000;
/** A description within a schema of a server. */
export const MAX_NOTE_CHARS = 1_000;
/** A text of a server in a message. */
export const MAX_SHOWN_CHARS = 200;
/** Lines of a difference from a pin that are shown. */
export const MAX_DIFFERENCE_LINES = 100;
/** A value in such a line. */
export const MAX_DIFFERENCE_VALUE_CHARS = 1_000;
/** A value in the template of an address. */
export const MAX_TEMPLATE_VALUE_CHARS = 2_000;
/** Long enough for a person to answer. */
export const DEFAULT_ANSWER_MS = 10 * 60_000;
/** Calls may still run this long before they are aborted. */
export const DEFAULT_GRACE_MS = 5_000;
/** The last responses have this long to reach their clients. */
export const LAST_RESPONSES_MS = 1_000;
/** The time between two looks whether all calls have ended. */
export const IDLE_CHECK_MS = 20;
/** A timer that is set for longer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** Bounds of requests over HTTP, unless the options say otherwise (docs/mcp-server.md). */
export const DEFAULT_HTTP_LIMITS = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxSessions: 1_000,
  maxSessionsPerPrincipal: 100,
  maxRequestsPerPrincipal: 200,
  maxUnreadBytes: 1024 * 1024,
  idleMs: 30 * 60_000,
  replayed: 500,
  retryMs: 1_000,
};
/** Clients may keep lists and texts that do not change for this long; they hear of an upgrade no later. */
export const STATIC_LIST_TTL_MS = 5 * 60_000;
/** The answers of a client in one state: the client sends them with each round. */
export const MAX_STATE_CHARS = 1_000_000;
/** Used states that the memory of a process notes: about 10 MB. */
export const MAX_USED_STATES = 100_000;
/** Messages that one session keeps, so that large answers do not add up. */
export const MAX_SESSION_REPLAY_BYTES = 4_000_000;
/** Messages that all sessions keep together; beyond them, a session keeps only its last message. */
export const MAX_REPLAY_BYTES = 64_000_000;
/** A message without its arguments. */
export const ENVELOPE_EXTENT = { values: 1_000, depth: 1_000 };
/** An id, a method or a progress token: they are kept, compared and sent back. */
export const MAX_ENVELOPE_NAME_CHARS = 1_000;
/** All other texts and keys of a message beside its arguments; an icon of a client is one of them. */
export const MAX_ENVELOPE_TEXT_CHARS = 100_000;
/** A body: the values of arguments and some for the envelope, and more levels than a call may have, which has its own bound. */
export const BODY_EXTENT = { values: MAX_VALUES + 1_000, depth: 1_000 };
/** Messages in one body. */
export const MAX_BATCH_MESSAGES = 100;
/** A client has this long to read the refusal of a large request, before its connection is closed. */
export const LINGER_MS = 1_000;
/** The time between two looks whether a client has read. */
export const ROOM_CHECK_MS = 5;
/** Looks until a client with more than `maxUnreadBytes` of unread data is cut off: a handler may write faster than a connection carries. */
export const MAX_ROOM_CHECKS = 50;
/** The protocol allows no more completions in one answer. */
export const MAX_COMPLETIONS = 100;
/** Requests to an authorization server; clients wait meanwhile. */
export const AUTHORIZATION_SERVER_MS = 5_000;
/** Clocks of servers that are synchronised differ by less. */
export const DEFAULT_CLOCK_TOLERANCE_SECONDS = 30;
/** The header of a token; Node refuses more headers than this by itself, other hosts might not. */
export const MAX_TOKEN_CHARS = 16_384;
/** Algorithms with a public key. With a symmetric one, a published key would sign tokens. */
export const ASYMMETRIC_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Options of tasks (docs/mcp-server.md). */
export const DEFAULT_TASK_LIMITS = {
  ttlMs: 60 * 60_000,
  pollIntervalMs: 1_000,
  maxTasksPerPrincipal: 1_000,
};
/** Runs of one task: its call, and each request of the client that brings answers. */
export const MAX_TASK_RUNS = 100;
/** The time between two searches for expired tasks. */
export const TASK_SWEEP_MS = 60_000;
/** Expired tasks that one search ends. */
export const MAX_SWEPT_TASKS = 1_000;
/** A call with less time left is not begun any more. */
export const MIN_TASK_MS = 1_000;
