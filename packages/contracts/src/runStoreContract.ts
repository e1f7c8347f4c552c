import { chatChecks } from './chatChecks.js';
import { ContractLogs } from './ContractLogs.js';
import { inboxChecks } from './inboxChecks.js';
import { makeJoinChecks } from './makeJoinChecks.js';
import { runChecks } from './runChecks.js';
import { recordChecks } from './storeChecks.js';
import { sharedChecks } from './sharedChecks.js';
import { tenantChecks } from './tenantChecks.js';
import type { StoreCheck, StoreKit } from './StoreKit.js';
import { writerChecks } from './writerChecks.js';

/**
 * Returns the requirements for every store of conversations as named checks. They use conversations of their own, and delete
 * them, so that any number of them can share a storage (docs/contract.md, 18).
 *
 * @param kit opens stores on the same storage
 * @example
 * for (const { name, run } of runStoreContract({ open: () => new MyRuns(pool) })) test(name, run);
 */
export function runStoreContract(kit: StoreKit): readonly StoreCheck[] {
  const joins = kit.begin === undefined ? [] : makeJoinChecks(kit.begin.bind(kit), kit.keepsRuns === true);
  const checks = [
    ...recordChecks,
    ...writerChecks,
    ...(kit.keepsRuns === true ? [...runChecks, ...tenantChecks, ...sharedChecks, ...chatChecks, ...inboxChecks] : []),
    ...joins,
  ];
  return checks.map(({ name, check }) => ({
    name,
    run: async () => {
      const store = await kit.open();
      const other = await kit.open();
      const logs = new ContractLogs(store, other);
      try {
        await check(logs);
        await logs.cleanUp();
      } finally {
        await kit.close?.(store);
        await kit.close?.(other);
      }
    },
  }));
}
