import { inForm } from './effort.js';
import { figureOf, type Figure } from './Figure.js';

/** Repeatable work. Its result is compared with the others' before anything is timed. */
export type Contender = () => unknown;

/** The cost of one call, for each contender, in one round: milliseconds, or bytes for `measureBytes`. */
export type Round<K extends string> = Readonly<Record<K, number>>;

/** The number and length of the measurements. */
export interface Effort {
  /** Pairs of measurements; 15 when left out, 9 in the short form. */
  readonly rounds?: number | undefined;
  /** Milliseconds that one contender runs in one round; 40 when left out, 20 in the short form. */
  readonly milliseconds?: number | undefined;
  /** The clock: CPU time of all threads when left out, or wall-clock time, which includes waiting. */
  readonly clock?: Clock | undefined;
}

/** CPU time and wall-clock time that each contender runs before it is measured. */
const WARM_UP_MS = 500;

type Clock = keyof typeof clocks;

const clocks = {
  wall: (): number => performance.now(),
  processor: (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/** Costs of contenders that took turns in each round, so that noise of the machine affected all of them. */
export class Measured<K extends string> {
  constructor(private readonly rounds: readonly Round<K>[]) {}

  /** Checks whether a contender of a name was measured. */
  has(name: string): name is K {
    return name in (this.rounds[0] ?? {});
  }

  /** Returns the milliseconds of a call. */
  time(of: K): Figure {
    return figureOf(this.rounds.map((round) => round[of]));
  }

  /** Returns the bytes of a call, for the result of `measureBytes`. */
  bytes(of: K): Figure {
    return this.time(of);
  }

  /** Returns the ratio to the cost of `to`, paired by round. The cost of `less` is first subtracted from both. */
  ratio(of: K, to: K, less?: K): Figure {
    return figureOf(this.ratios(of, to, less));
  }

  /** Returns the ratio of each round. */
  ratios(of: K, to: K, less?: K): readonly number[] {
    const base = (round: Round<K>): number => (less === undefined ? 0 : round[less]);
    return this.rounds.map((round) => (round[of] - base(round)) / (round[to] - base(round)));
  }
}

/** Warms up, then measures the contenders in turn. The order moves on by one each round. */
export async function measure<K extends string>(
  contenders: Readonly<Record<K, Contender>>,
  { rounds: count = inForm(15, 9), milliseconds = inForm(40, 20), clock = 'processor' }: Effort = {},
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
 * Returns the number of calls that fill a time once everything is compiled. V8 compiles in parallel, so a slow machine needs the whole
 * warm-up. Only the fastest calls count, because otherwise a machine that is busy for a moment would end the warm-up too early.
 */
export async function callsWithin(
  run: Contender,
  milliseconds: number,
  clock: Clock,
  warmUp = WARM_UP_MS,
): Promise<number> {
  const [wall, processor] = [clocks.wall() + warmUp, clocks.processor() + warmUp];
  // Work that waits would need long for its CPU time.
  const end = clocks.wall() + warmUp * 10;
  const isWarm = (): boolean => (clocks.wall() >= wall && clocks.processor() >= processor) || clocks.wall() >= end;
  let least = Number.POSITIVE_INFINITY;
  for (let calls = 1; ;) {
    const each = await timeOf(run, calls, clock);
    // Shorter groups are left out: the CPU clock of a short one may not have moved.
    if (each * calls < milliseconds) calls *= 2;
    else {
      least = Math.min(least, each);
      if (isWarm()) return Math.max(Math.round(milliseconds / least), 1);
    }
  }
}

export async function timeOf(run: Contender, calls: number, clock: Clock): Promise<number> {
  const start = clocks[clock]();
  for (let call = 0; call < calls; call++) await run();
  return (clocks[clock]() - start) / calls;
}
