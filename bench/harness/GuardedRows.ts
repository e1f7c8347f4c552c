import type { Contender } from './measure.js';

/**
 * Work that `node bench/check.mjs` measures with this build and with the base commit's, by name. Each function prepares its work
 * in a new process. The work throws if its result is wrong, so that a build that does less is not faster.
 */
export type GuardedRows = Readonly<Record<string, () => Contender | Promise<Contender>>>;
