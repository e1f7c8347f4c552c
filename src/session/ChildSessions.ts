const FIRST_SWEEP = 16;

/**
 * The sessions that name another one as their parent, oldest first. They are held weakly: a parent that lives for months
 * must not keep the sessions of all its sub-agents, and nobody remembers to sign off.
 */
export class ChildSessions<T extends object> {
  #references: WeakRef<T>[] = [];
  #sweepAt = FIRST_SWEEP;

  add(child: T): void {
    // Swept when their number has doubled, so that an addition costs the same on average however many there are.
    if (this.#references.length >= this.#sweepAt) {
      this.#references = this.#references.filter((reference) => reference.deref() !== undefined);
      this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#references.length);
    }
    this.#references.push(new WeakRef(child));
  }

  /** Those that somebody still holds. */
  get all(): readonly T[] {
    return Object.freeze(
      this.#references.flatMap((reference) => {
        const child = reference.deref();
        return child === undefined ? [] : [child];
      }),
    );
  }

  /** How many references are kept, those of collected children included. */
  get size(): number {
    return this.#references.length;
  }
}
