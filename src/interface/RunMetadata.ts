/**
 * Ids by which a host identifies a run: request, trace, tenant. Included in every event of the run. Three keys have a meaning:
 * `principal`, for whom the run acts, `tenant`, whose data it is, and `conversation`. A call that waits for its approval is continued
 * only in a run with the same three (docs/contract.md, 10).
 */
export type RunMetadata = Readonly<Record<string, string>>;
