/** Keys of the metadata of a run that went on from another one. */
const RUN = 'forkedFrom';
const SEQ = 'forkedAt';

/** The metadata of a run that goes on from another one, at an entry of it. */
export function forkMetadata(run: string, seq: number): Readonly<Record<string, string>> {
  return { [RUN]: run, [SEQ]: String(seq) };
}

/** The run and entry that a run went on from; undefined for one that did not. */
export function forkOf(metadata: unknown): { readonly run: string; readonly seq: number } | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { [RUN]: run, [SEQ]: seq } = metadata as Readonly<Record<string, unknown>>;
  return typeof run === 'string' && typeof seq === 'string' ? { run, seq: Number(seq) } : undefined;
}
