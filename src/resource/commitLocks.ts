/** The commits that take time, by the object that they change. */
const running = new WeakMap<object, Promise<void>>();

export function runningCommit(parties: Iterable<object>): Promise<void> | undefined {
  for (const party of parties) {
    const commit = running.get(party);
    if (commit !== undefined) return commit;
  }
  return undefined;
}

/** Keeps other commits away from the objects until the returned function is called. */
export function lockForCommit(parties: Iterable<object>): () => void {
  const locked = [...parties];
  let release: () => void = () => undefined;
  const commit = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const party of locked) running.set(party, commit);
  return () => {
    for (const party of locked) running.delete(party);
    release();
  };
}
