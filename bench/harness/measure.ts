import { inForm } from './effort.js';
import { figureOf, type Figure } from './Figure.js';

/** One repeatable piece of work; its result is compared before anything is timed. */
export type Contender = () => unknown;

/** Milliseconds of one call, for each contender, in one round. */
export type Round<K extends string> = Readonly<Record<K, number>>;

/** Number and length of the measurements. */
export interface Effort {
  /** Pairs of measurements; 15 when left out, 9 in the short form. */
  readonly rounds?: number | undefined;
  /** Milliseconds that one contender runs in one round; 40 when left out, 20 in the short form. */
  readonly milliseconds?: number | undefined;
  /** The time that passes when left out; or that of the processor, of all threads, without what they wait for each other. */
  readonly clock?: Clock | undefined;
}

/** Milliseconds that each contender runs before it is measured. */
const WARM_UP = 500;

type Clock = keyof typeof clocks;

const clocks = {
  wall: (): number => performance.now(),
  processor: (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/** Times of contenders that took turns, round after round, so that noise of the machine affected them alike. */
export class Measured<K extends string> {
  constructor(private readonly rounds: readonly Round<K>[]) {}

  /** True if a contender of that name was measured. */
  has(name: string): name is K {
    return name in (this.rounds[0] ?? {});
  }

  /** Milliseconds of a call. */
  time(of: K): Figure {
    return figureOf(this.rounds.map((round) => round[of]));
  }

  /** The ratio to the time of `to`, paired by round; `less` is subtracted from both first. */
  ratio(of: K, to: K, less?: K): Figure {
    return figureOf(this.ratios(of, to, less));
  }

  /** The same, round by round. */
  ratios(of: K, to: K, less?: K): readonly number[] {
    const base = (round: Round<K>): number => (less === undefined ? 0 : round[less]);
    return this.rounds.map((round) => (round[of] - base(round)) / (round[to] - base(round)));
  }
}

/** Warms up, then lets the contenders take turns; the order moves on by one each round. */
export async function measure<K extends string>(
  contenders: Readonly<Record<K, Contender>>,
  { rounds: count = inForm(15, 9), milliseconds = inForm(40, 20), clock = 'wall' }: Effort = {},
): Promise<Measured<K>> {
  const entries = Object.entries(contenders) as [K, Contender][];
  const calls = new Map<K, number>();
  for (const [name, run] of entries) calls.set(name, await callsWithin(run, milliseconds, clock));
  const rounds: Round<K>[] = [];
  for (let round = 0; round < count; round++) {
    const times = new Map<K, number>();
    for (let turn = 0; turn < entries.length; turn++) {
      const [name, run] = entries[(turn + round) % entries.length]!;
      times.set(name, await timeOf(run, calls.get(name) ?? 1, clock));
    }
    rounds.push(Object.fromEntries(times) as Round<K>);
  }
  return new Measured(rounds);
}

/**
 * The number of calls that fill the time, once everything is compiled: V8 compiles beside the program, so that a slow machine needs
 * the whole warm-up for it. The fastest calls count, since a machine that was busy for a moment would otherwise end it too early.
 */
async function callsWithin(run: Contender, milliseconds: number, clock: Clock): Promise<number> {
  const warm = performance.now() + WARM_UP;
  let each = Number.POSITIVE_INFINITY;
  for (let calls = 1; ;) {
    each = Math.min(each, await timeOf(run, calls, clock));
    if (each * calls < milliseconds) calls *= 2;
    else if (performance.now() >= warm) return Math.max(Math.round(milliseconds / each), 1);
  }
}

async function timeOf(run: Contender, calls: number, clock: Clock): Promise<number> {
  const start = clocks[clock]();
  for (let call = 0; call < calls; call++) await run();
  return (clocks[clock]() - start) / calls;
}
