import type { OpenAdapterKit } from './AdapterKit.js';
import { answerChecks } from './answerChecks.js';
import { ContractApplication } from './ContractApplication.js';
import { conversationChecks } from './conversationChecks.js';
import { failureChecks } from './failureChecks.js';
import { streamChecks } from './streamChecks.js';

/** One check, for any test runner. */
export interface AdapterCheck {
  readonly name: string;
  /** Rejects with an AssertionError if the adapter does not meet it. */
  readonly run: () => Promise<void>;
}

/**
 * Returns the requirements for every model adapter as named checks: whole runs of a small application against a double of the
 * provider, which the author of the adapter provides, best over HTTP and with the provider's own client (docs/contract.md, 16).
 *
 * @param open sets up the double with a script, and a new adapter in front of it
 * @example
 * for (const { name, run } of modelAdapterContract(openMyProvider)) test(name, run);
 */
export function modelAdapterContract(open: OpenAdapterKit): readonly AdapterCheck[] {
  return [...answerChecks, ...conversationChecks, ...failureChecks, ...streamChecks].map(({ name, script, check }) => ({
    name,
    run: async () => {
      const kit = await open(script);
      try {
        await check(await ContractApplication.open(kit));
      } finally {
        await kit.close();
      }
    },
  }));
}
