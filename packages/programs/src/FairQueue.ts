/** Queues waiting tasks by owner. Owners take turns, each with its oldest task, so that nobody waits for all tasks of another. */
export class FairQueue<T> {
  /** The owner whose turn is next comes first. */
  readonly #lines = new Map<object, T[]>();

  add(owner: object, task: T): void {
    const line = this.#lines.get(owner);
    if (line === undefined) this.#lines.set(owner, [task]);
    else line.push(task);
  }

  /**
   * Takes the oldest task of the next owner.
   *
   * @param mayGo false for an owner that is passed over this time
   */
  take(mayGo: (owner: object) => boolean = () => true): { readonly owner: object; readonly task: T } | undefined {
    for (const [owner, line] of this.#lines) {
      if (!mayGo(owner)) continue;
      const [task, ...others] = line as [T, ...T[]];
      this.#lines.delete(owner);
      if (others.length > 0) this.#lines.set(owner, others);
      return { owner, task };
    }
    return undefined;
  }

  /** Removes a task that no longer waits. */
  remove(owner: object, task: T): void {
    const others = this.#lines.get(owner)?.filter((each) => each !== task) ?? [];
    if (others.length > 0) this.#lines.set(owner, others);
    else this.#lines.delete(owner);
  }
}
