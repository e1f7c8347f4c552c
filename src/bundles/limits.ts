// Bundles (docs/inspector.md)

/** One line of a bundle. The recorder writes no larger ones, and the reader refuses them before they are whole: a line is parsed in one piece, and the values of JSON take many times the memory of their text. */
export const LINE_EXTENT = { chars: 4_000_000, values: 100_000, depth: 100 };
/** The beginning that stays of a text that is too long. */
export const CUT_TEXT_CHARS = 1_000;
/** A recorded value; its copy is made recursively. */
export const MAX_RECORDED_LEVELS = 60;
/** Objects that hold the next one twice, level by level, would make 2⁶⁰ values. */
export const MAX_RECORDED_VALUES = 200_000;
/** Longer texts are cut: a person reads the recording. */
export const MAX_RECORDED_TEXT_CHARS = 400_000;
/** A bundle that is read, unless its reader says otherwise. */
export const MAX_BUNDLE_BYTES = 128 * 1024 * 1024;
/** The same, in entries. */
export const MAX_BUNDLE_ENTRIES = 500_000;
/** All lines together: small values take twenty times the memory of their text. */
export const MAX_BUNDLE_VALUES = 5_000_000;
/** A bundle that is recorded, unless its options say otherwise. */
export const MAX_BUNDLE_CHARS = 64_000_000;
