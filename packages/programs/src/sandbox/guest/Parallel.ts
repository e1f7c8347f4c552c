/** A tool, or another function of the program, with its arguments. */
type Entry = readonly [(...args: unknown[]) => unknown, ...unknown[]];

/**
 * Calls entries concurrently, waits for all, and returns their results in input order, or throws the first failure. Entries are
 * separate arguments, or a list with `{ limit }`. Runs in the guest: see `ValueInspector`.
 */
export class Parallel {
  private readonly isArray = Array.isArray;
  private readonly isInteger = Number.isInteger;
  private readonly all = Promise.all.bind(Promise);

  constructor(private readonly preview: (value: unknown) => string) {}

  async run(given: readonly unknown[]): Promise<unknown[]> {
    const [list, options] = given;
    const isList = this.isArray(list) && typeof list[0] !== 'function' && given.length <= 2 && !this.isArray(options);
    const entries = (isList ? list : given).map((entry, index) => this.entryOf(entry, index));
    const limit = this.limitOf(isList ? options : undefined, entries.length);
    const outcomes: { readonly value?: unknown; readonly failure?: { readonly error: unknown } }[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < entries.length; index = next++) {
        const [tool, ...args] = entries[index] as Entry;
        try {
          outcomes[index] = { value: await tool(...args) };
        } catch (error) {
          outcomes[index] = { failure: { error } };
        }
      }
    };
    const workers: Promise<void>[] = [];
    for (let index = 0; index < limit && index < entries.length; index++) workers.push(work());
    await this.all(workers);
    for (const { failure } of outcomes) if (failure !== undefined) throw failure.error;
    return outcomes.map(({ value }) => value);
  }

  private entryOf(entry: unknown, index: number): Entry {
    if (this.isArray(entry) && typeof entry[0] === 'function') return entry as unknown as Entry;
    throw new TypeError(
      `parallel takes entries [tool, arguments]; entry ${String(index + 1)} is ${this.preview(entry)}`,
    );
  }

  private limitOf(options: unknown, count: number): number {
    const { limit = count }: { limit?: unknown } = options ?? {};
    if (limit === count || (this.isInteger(limit) && (limit as number) > 0)) return limit as number;
    throw new TypeError(`parallel takes { limit } as a whole number from 1: not ${this.preview(limit)}`);
  }
}
