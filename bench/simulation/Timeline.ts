/** Runs events in the order of their times, in seconds. A binary heap. */
export class Timeline {
  readonly #heap: { readonly at: number; readonly act: () => void }[] = [];
  #now = 0;

  get now(): number {
    return this.#now;
  }

  /** Schedules an event. @param delay in seconds from now */
  after(delay: number, act: () => void): void {
    const heap = this.#heap;
    const event = { at: this.#now + delay, act };
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= event.at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = event;
  }

  /** Runs all events up to a time. */
  runUntil(end: number): void {
    for (let next = this.#pop(end); next !== undefined; next = this.#pop(end)) {
      this.#now = next.at;
      next.act();
    }
    this.#now = end;
  }

  #pop(end: number): { readonly at: number; readonly act: () => void } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.at > end) return undefined;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const child = right !== undefined && left !== undefined && right.at < left.at ? 2 * index + 2 : 2 * index + 1;
      const below = heap[child];
      if (below === undefined || below.at >= last.at) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}
