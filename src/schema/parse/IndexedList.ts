/**
 * A list that finds its items at once. `@ArrayUnique` looks up each item in the list, or in that of what its function makes of them,
 * which takes seconds for ten thousand.
 */
export class IndexedList extends Array<unknown> {
  #positions: Map<unknown, number> | undefined;

  override indexOf(item: unknown): number {
    if (this.#positions === undefined) {
      this.#positions = new Map();
      for (const [position, each] of this.entries())
        if (!this.#positions.has(each)) this.#positions.set(each, position);
    }
    // As every list does, it does not find NaN.
    return Number.isNaN(item) ? -1 : (this.#positions.get(item) ?? -1);
  }
}
