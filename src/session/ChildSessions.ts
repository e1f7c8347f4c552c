const FIRST_SWEEP = 16;

/**
 * Lists the child sessions of a session, oldest first. Holds them weakly: a parent that lives for months must not keep the
 * sessions of all its sub-agents, and hosts would forget to remove them.
 */
export class ChildSessions<T extends object> {
  #references: WeakRef<T>[] = [];
  #sweepAt = FIRST_SWEEP;

  add(child: T): void {
    // Swept whenever the number has doubled, so that the amortised cost of an addition is constant.
    if (this.#references.length >= this.#sweepAt) {
      this.#references = this.#references.filter((reference) => reference.deref() !== undefined);
      this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#references.length);
    }
    this.#references.push(new WeakRef(child));
  }

  /** The children that have not been collected. */
  get all(): readonly T[] {
    return Object.freeze(
      this.#references.flatMap((reference) => {
        const child = reference.deref();
        return child === undefined ? [] : [child];
      }),
    );
  }

  /** The number of references, including those to collected children. */
  get size(): number {
    return this.#references.length;
  }
}
