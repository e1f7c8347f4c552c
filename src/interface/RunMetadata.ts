/** Ids by which a host finds a run again: request, trace, tenant. Shown in every event of the run. */
export type RunMetadata = Readonly<Record<string, string>>;
