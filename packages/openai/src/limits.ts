/** The provider takes no longer ids of items; some hosts give longer ones. */
export const MAX_ITEM_ID_CHARS = 64;
/** Texts at which the provider stops an answer. */
export const MAX_STOP_TEXTS = 4;
/** The provider takes no longer names of formats. */
export const MAX_FORMAT_NAME_CHARS = 64;
/** The provider accepts 64; the rest is for suffixes that keep ids unique. */
export const MAX_CALL_ID_CHARS = 56;
