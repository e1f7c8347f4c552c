import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contender } from './measure.js';

/** Other libraries that do the same work, by name, and their clean-up functions. `I` is the input of each call. */
export interface Peers<I = string> {
  readonly contenders: Readonly<Record<string, (input?: I) => unknown>>;
  readonly close?: (() => Promise<void>) | undefined;
}

/**
 * Loads the peers of a benchmark, set up for its work as their documentation shows (bench/peers). Returns none with `--alone`, which
 * measures only Toolwright.
 */
export async function peersOf<I = string>(name: string, work: object): Promise<Peers<I>> {
  const file = join(process.cwd(), 'bench', 'peers', `${name}.mjs`);
  if (process.env['BENCH_ALONE'] !== undefined) return { contenders: {} };
  const { peers } = (await import(pathToFileURL(file).href)) as { readonly peers: (work: object) => Promise<Peers<I>> };
  return peers(work);
}

/** Checks that all contenders return the same result. Call it before anything is timed. */
export async function assertSame(contenders: Readonly<Record<string, Contender>>, expected: unknown): Promise<void> {
  const wanted = JSON.stringify(expected);
  for (const [name, run] of Object.entries(contenders)) {
    const given = JSON.stringify(await run());
    if (given !== wanted) throw new TypeError(`${name} gives ${given}, and not ${wanted}`);
  }
}
