/** A small seeded generator (mulberry32): the same seed yields the same sequence on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)];
    if (choice === undefined) throw new RangeError('There is nothing to pick from.');
    return choice;
  }

  /** Picks `count` different entries in random order, or all of them if there are fewer. */
  sample<T>(choices: readonly T[], count: number): readonly T[] {
    const rest = [...choices];
    const taken: T[] = [];
    while (taken.length < count && rest.length > 0) taken.push(...rest.splice(this.integer(0, rest.length - 1), 1));
    return taken;
  }

  digits(count: number): string {
    return `${this.integer(1, 9)}${Array.from({ length: count - 1 }, () => this.integer(0, 9)).join('')}`;
  }
}
