import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contender } from './measure.js';

/** Other libraries that do the same work, by name; each with what undoes its making. `I` is what they are given each time. */
export interface Peers<I = string> {
  readonly contenders: Readonly<Record<string, (input?: I) => unknown>>;
  readonly close?: (() => Promise<void>) | undefined;
}

/**
 * The peers of a benchmark, made for its work as their own documentation does it (bench/peers). None with
 * `--alone`: our own figures need nobody else.
 */
export async function peersOf<I = string>(name: string, work: object): Promise<Peers<I>> {
  const file = join(process.cwd(), 'bench', 'peers', `${name}.mjs`);
  if (process.env['BENCH_ALONE'] !== undefined) return { contenders: {} };
  const { peers } = (await import(pathToFileURL(file).href)) as { readonly peers: (work: object) => Promise<Peers<I>> };
  return peers(work);
}

/** Before anything is timed: everybody gives the same. */
export async function assertSame(contenders: Readonly<Record<string, Contender>>, expected: unknown): Promise<void> {
  const wanted = JSON.stringify(expected);
  for (const [name, run] of Object.entries(contenders)) {
    const given = JSON.stringify(await run());
    if (given !== wanted) throw new TypeError(`${name} gives ${given}, and not ${wanted}`);
  }
}
