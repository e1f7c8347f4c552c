/** Milliseconds a call, for each contender, in one round. */
export type Round<K extends string> = Readonly<Record<K, number>>;

const CALLS = 20_000;
const ROUNDS = 9;

/** Runs all contenders in turn, round after round, so that noise of the machine meets them alike; warms up first. */
export async function measure<K extends string>(
  contenders: Readonly<Record<K, () => Promise<unknown>>>,
  calls = CALLS,
): Promise<readonly Round<K>[]> {
  const entries = Object.entries(contenders) as [K, () => Promise<unknown>][];
  for (const [, run] of entries) await time(run, calls);
  const rounds: Round<K>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times: [K, number][] = [];
    for (const [name, run] of entries) times.push([name, await time(run, calls)]);
    rounds.push(Object.fromEntries(times) as Round<K>);
  }
  return rounds;
}

async function time(run: () => Promise<unknown>, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call++) await run();
  return (performance.now() - start) / calls;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints a ratio; above the bound, the process fails. */
export function report(what: string, ratio: number, bound?: number): void {
  print(what, ratio, 'x', bound);
}

/** Prints milliseconds; above the bound, the process fails. */
export function reportMs(what: string, ms: number, bound?: number): void {
  print(what, ms, 'ms', bound);
}

function print(what: string, figure: number, unit: string, bound: number | undefined): void {
  const verdict =
    bound === undefined ? '' : figure <= bound ? ` (at most ${String(bound)})` : ` ABOVE ${String(bound)}`;
  console.log(`${what}: ${figure.toFixed(2)} ${unit}${verdict}`);
  if (bound !== undefined && figure > bound) process.exitCode = 1;
}
