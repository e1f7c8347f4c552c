import { ConformanceFault } from './ConformanceFault';
import type { ConformanceCase } from './format';

/** The possible verdicts on a case. */
export type Verdict = 'as reference' | 'decided differently' | 'contested' | 'waiting' | 'failed';

const order: readonly Verdict[] = ['as reference', 'decided differently', 'contested', 'waiting', 'failed'];

/** Counts every case once. One that was never settled, because its test broke, has failed. */
export class Tally {
  readonly #verdicts: Map<string, Verdict>;
  readonly #settled = new Set<string>();

  constructor(cases: readonly Pick<ConformanceCase, 'id'>[]) {
    this.#verdicts = new Map(cases.map(({ id }) => [id, 'failed']));
  }

  /** @param verdict taken back by a later one: a test says `failed` first, since it may break before it knows more */
  settle(id: string, verdict: Verdict): void {
    if (!this.#verdicts.has(id)) throw new ConformanceFault('C4', 'it is in no file', id);
    this.#verdicts.set(id, verdict);
    this.#settled.add(id);
  }

  count(verdict: Verdict): number {
    return [...this.#verdicts.values()].filter((own) => own === verdict).length;
  }

  /** False when cases were left out, as jest does with `-t`. */
  get isComplete(): boolean {
    return this.#settled.size === this.#verdicts.size;
  }

  line(): string {
    const parts = order.map((verdict) => `${this.count(verdict)} ${verdict}`);
    return `conformance: ${this.#verdicts.size} cases, ${parts.join(', ')}`;
  }
}
