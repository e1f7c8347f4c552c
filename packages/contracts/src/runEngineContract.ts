import { EngineBench, type EngineKit } from './EngineBench.js';
import { engineChecks } from './engineChecks.js';
import type { StoreCheck } from './StoreKit.js';

/**
 * Returns the requirements for every engine of durable runs as named checks. They use runs and conversations of their own.
 *
 * @param kit opens engines on the same storage
 * @example
 * for (const { name, run } of runEngineContract({ open: () => new MyEngine(redis) })) test(name, run);
 */
export function runEngineContract(kit: EngineKit): readonly StoreCheck[] {
  return engineChecks
    .filter(({ transactional }) => !transactional || kit.transaction !== undefined)
    .map(({ name, check }) => ({
      name,
      run: async () => {
        const bench = new EngineBench(await kit.open(), kit);
        try {
          await check(bench);
          bench.checkAlways();
        } finally {
          await bench.close();
        }
      },
    }));
}
