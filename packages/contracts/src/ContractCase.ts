import type { ProviderTurn } from './AdapterKit.js';
import type { ContractApplication } from './ContractApplication.js';

/** One requirement of the contract: what the provider does, and what the run must do then. */
export interface ContractCase {
  readonly name: string;
  readonly script: readonly ProviderTurn[];
  /** Throws an AssertionError if the adapter does not meet it. */
  readonly check: (contractApp: ContractApplication) => Promise<void>;
}

export function contractCase(
  name: string,
  script: readonly ProviderTurn[],
  check: (contractApp: ContractApplication) => Promise<void>,
): ContractCase {
  return { name, script, check };
}
