// Search (docs/prompts.md, docs/limitations.md). Apart from the other limits, because the first import does not need them.

/** Results of a search: more would fill the conversation with definitions that the model did not look for. */
export const MAX_SEARCH_RESULTS = 20;
/** Results of a search that names no limit. */
export const DEFAULT_SEARCH_RESULTS = 5;
/** A query is cut to this length: the time of a search grows with its words. */
export const MAX_QUERY_CHARS = 500;
/** The names of the parameters of a tool, and their descriptions, as far as they are searched. */
export const MAX_INDEXED_PARAM_CHARS = 2_000;
/** Any other text of a tool or a section, as far as it is searched; at least the longest description. */
export const MAX_INDEXED_TEXT_CHARS = 1_024;
/** Indexes of a prompt that are kept: one for each variant of its texts that is in use. */
export const MAX_SEARCH_INDEXES = 4;
/** A search waits for its embeddings for at most this long; the search uses only words then. */
export const MAX_EMBEDDING_MS = 5_000;
/** Texts that are embedded together; providers limit a request. */
export const EMBEDDING_BATCH = 96;
