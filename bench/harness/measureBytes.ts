import type { Figure } from './Figure.js';
import { callsWithin, Measured, type Contender, type Round } from './measure.js';

const ROUNDS = 41;
/** The most that a group of calls may allocate, so that V8 rarely collects garbage within a group. */
const MAX_GROUP_BYTES = 100_000;
/** Longer than for times: code that V8 has not optimised yet allocates up to a third more. */
const WARM_UP_MS = 1_500;

/**
 * Measures the bytes that one call allocates on the V8 heap, garbage included. The figure is the growth of `heapUsed` over a group of
 * calls, less the growth for an empty call. It hardly depends on how busy the machine is. `Buffer`s do not count, because they are
 * outside the heap. A group in which V8 collected garbage gives a wrong value, which the median leaves out.
 *
 * @throws TypeError if one call allocates so much that V8 collects garbage within most calls
 */
export async function measureBytes<K extends string>(contenders: Readonly<Record<K, Contender>>): Promise<Measured<K>> {
  const entries = Object.entries(contenders) as [K, Contender][];
  const calls = new Map<K, number>();
  for (const [name, run] of entries) {
    await callsWithin(run, 10, 'processor', WARM_UP_MS);
    calls.set(name, await callsOfGroup(run));
  }
  const rounds: Round<K>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const costs = new Map<K, number>();
    for (const [name, run] of entries) costs.set(name, await bytesOf(run, calls.get(name) ?? 1));
    rounds.push(Object.fromEntries(costs) as Round<K>);
  }
  const measured = new Measured(rounds);
  for (const [name] of entries) assertSteady(name, measured.bytes(name));
  return measured;
}

/** Values that differ by more than half were disturbed by collections of garbage within most calls. */
function assertSteady(name: string, { low, median, high }: Figure): void {
  if (high - low > Math.max(median / 2, 1_000))
    throw new TypeError(`one call of ${name} allocates too much to be measured`);
}

export async function callsOfGroup(run: Contender): Promise<number> {
  const each: number[] = [];
  for (let call = 0; call < ROUNDS; call++) each.push(await bytesOf(run, 1));
  const middle = each.sort((left, right) => left - right)[(ROUNDS - 1) / 2] ?? 0;
  return Math.max(Math.floor(MAX_GROUP_BYTES / Math.max(middle, 100)), 1);
}

export async function bytesOf(run: Contender, calls: number): Promise<number> {
  const empty = await growthOf(() => undefined, calls);
  return ((await growthOf(run, calls)) - empty) / calls;
}

async function growthOf(run: Contender, calls: number): Promise<number> {
  const start = process.memoryUsage().heapUsed;
  for (let call = 0; call < calls; call++) await run();
  return process.memoryUsage().heapUsed - start;
}
