/**
 * Ids by which a host identifies a run: request, trace, tenant. Included in every event of the run. Two keys have a meaning:
 * `principal`, for whom the run acts, and `conversation`. A call that waits for its approval is continued only in a run with the same
 * two (docs/contract.md, 10).
 */
export type RunMetadata = Readonly<Record<string, string>>;
