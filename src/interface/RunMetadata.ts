/** Ids by which a host identifies a run: request, trace, tenant. Included in every event of the run. */
export type RunMetadata = Readonly<Record<string, string>>;
