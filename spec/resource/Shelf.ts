import type { Snapshotable } from 'toolwright';

/** Yields so many times. */
export async function pass(times = 1): Promise<void> {
  for (let time = 0; time < times; time++) await new Promise((resolve) => setImmediate(resolve));
}

/** Rows that are changed in place, with private state; everything takes time. */
export class Shelf implements Snapshotable<readonly string[]> {
  readonly reads: readonly string[] | undefined = ['list'];
  readonly log: string[] = [];
  label = 'shelf';
  #rows: string[];

  constructor(rows: readonly string[] = ['first']) {
    this.#rows = [...rows];
  }

  /** Not through any handle. */
  static rowsOf(shelf: Shelf): readonly string[] {
    return [...shelf.#rows];
  }

  async list(): Promise<readonly string[]> {
    return [...this.#rows];
  }

  async put(row: string, passes = 1): Promise<this> {
    await pass(passes);
    this.#rows.push(row);
    return this;
  }

  async putAfter(moment: Promise<unknown>, row: string): Promise<this> {
    await moment;
    return this.put(row, 20);
  }

  async drop(): Promise<void> {
    await pass();
    this.#rows = [];
  }

  async snapshot(): Promise<readonly string[]> {
    this.log.push('snapshot');
    const kept = this.#rows;
    await pass();
    this.#rows = [...kept];
    return kept;
  }

  async restore(snapshot: readonly string[]): Promise<void> {
    this.log.push('restore');
    await pass();
    // Not a copy: a snapshot that were restored twice would be found changed.
    this.#rows = snapshot as string[];
  }
}

/** The same, all at once. */
export class Slate implements Snapshotable<readonly string[]> {
  readonly reads: readonly string[] | undefined = ['list'];
  note = '';
  #rows: string[] = ['first'];

  get length(): number {
    return this.#rows.length;
  }

  list(): readonly string[] {
    return [...this.#rows];
  }

  put(row: string): this {
    this.#rows.push(row);
    return this;
  }

  snapshot(): readonly string[] {
    return [this.note, ...this.#rows];
  }

  restore([note = '', ...rows]: readonly string[]): void {
    this.note = note;
    this.#rows = rows;
  }
}
