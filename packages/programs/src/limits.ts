/** The stack of a program (docs/programs.md). */
export const MAX_STACK_BYTES = 262_144;
/** Programs at a time, unless the options say otherwise. */
export const DEFAULT_QUOTAS = Object.freeze({ total: 256, perToolkit: 128, perSession: 32, perPrincipal: 32 });
/** The memory of a check's thread, which also bounds what a program can make the parsers or the compiler allocate. */
export const MAX_CHECK_MEGABYTES = 512;
/** Starting a thread and loading the compiler: enough for a machine under load. */
export const MAX_CHECK_START_MS = 30_000;
/** Far more than a model writes in one answer. */
export const MAX_PROGRAM_CHARS = 1_000_000;
/** A check; an ordinary one takes some milliseconds, and waiting for a thread does not count. */
export const MAX_CHECK_MS = 2_000;
/** Nested syntax; each operator of a chain is one level. The time of a type check grows with their square. */
export const MAX_SYNTAX_LEVELS = 250;
/** Further faults in one message. */
export const MAX_FURTHER_FAULTS = 3;
/** The compiler's text of one fault. */
export const MAX_FAULT_CHARS = 240;
/** Levels of printed values that are searched for promises. */
export const MAX_PROMISE_LEVELS = 3;
/** An object type that is written on one line. */
export const MAX_LINE_TYPE_CHARS = 80;
/** A default value that a declaration shows. */
export const MAX_DEFAULT_CHARS = 80;
/** Shorter words are part of too many other names. */
export const MIN_CONTAINED_CHARS = 3;
/** Candidates that are compared with a name. */
export const MAX_COMPARED_NAMES = 2_000;
/** Candidates that a message names. */
export const MAX_SHOWN_NAMES = 5;
/** The part of a name that is compared. */
export const MAX_COMPARED_CHARS = 200;
/** A timer that is set for longer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** The text before a fault in which the origin of a value is looked for. */
export const MAX_CHARS_BEFORE_FAULT = 10_000;
/** The text on either side of a fault in which a property is looked for. */
export const MAX_CHARS_AROUND_FAULT = 300;
/** Keys of a result that a misspelling is compared with. */
export const MAX_COMPARED_KEYS = 200;
/** Keys of a result that a hint names. */
export const MAX_SHOWN_KEYS = 20;
/** Unhandled rejections of a program that are kept. */
export const MAX_UNHANDLED_REJECTIONS = 100;
/** A guest must stop within this time before its worker is terminated; large native operations do not check. */
export const HARD_STOP_MS = 75;
/** The time between two looks whether a program only waits. */
export const SETTLE_MS = 20;
/** A batch of answers. */
export const MAX_ANSWERS_CHARS = 4_000_000;
/** Messages of one program in one turn of the event loop, so that a flood of calls cannot block it. */
export const MAX_HANDLING_MS = 10;
/** The time between two looks at the clocks of programs. */
export const MIN_TICK_MS = 2;
