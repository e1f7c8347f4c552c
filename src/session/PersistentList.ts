/**
 * An immutable list with appends in constant time, so that an overlay can share its base.
 * Two lists are the same state if and only if they are the same object.
 */
export class PersistentList<T> {
  static readonly empty: PersistentList<never> = new PersistentList<never>(undefined, undefined, Object.freeze([]));

  readonly #last: T | undefined;
  #previous: PersistentList<T> | undefined;
  #values: readonly T[] | undefined;

  private constructor(previous: PersistentList<T> | undefined, last: T | undefined, values: readonly T[] | undefined) {
    this.#previous = previous;
    this.#last = last;
    this.#values = values;
  }

  /** Creates a new state, even if the values equal those of another: returning to a value is a change as well. */
  static of<T>(values: readonly T[]): PersistentList<T> {
    return new PersistentList(undefined, values.at(-1), Object.freeze([...values]));
  }

  append(value: T): PersistentList<T> {
    return new PersistentList<T>(this, value, undefined);
  }

  /** The same values as a new state, in constant time. */
  anew(): PersistentList<T> {
    return new PersistentList(this.#previous, this.#last, this.#values);
  }

  get last(): T | undefined {
    return this.#last;
  }

  /** All values, oldest first; frozen, and the same array each time. */
  get values(): readonly T[] {
    if (this.#values !== undefined) return this.#values;
    const tail: T[] = [this.#last as T];
    let list = this.#previous;
    while (list !== undefined && list.#values === undefined) {
      tail.push(list.#last as T);
      list = list.#previous;
    }
    this.#values = Object.freeze([...(list === undefined ? [] : (list.#values ?? [])), ...tail.reverse()]);
    // The array holds all values: without the chain, older states can be collected.
    this.#previous = undefined;
    return this.#values;
  }
}
