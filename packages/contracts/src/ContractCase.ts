import type { ProviderTurn, ProviderToolUse } from './AdapterKit.js';
import type { ContractApplication } from './ContractApplication.js';

/** One requirement of the contract: a behaviour of the provider, and the required reaction of the run. */
export interface ContractCase {
  readonly name: string;
  readonly script: readonly ProviderTurn[];
  /** Throws an AssertionError if the adapter does not meet it. */
  readonly check: (contractApp: ContractApplication) => Promise<void>;
}

export function defineCase(
  name: string,
  script: readonly ProviderTurn[],
  check: (contractApp: ContractApplication) => Promise<void>,
): ContractCase {
  return { name, script, check };
}

export function makeNoteCall(text: string, id?: string): ProviderToolUse {
  return { id, name: 'note', arguments: JSON.stringify({ text }) };
}

export function makeOpenCall(section: string, id: string): ProviderToolUse {
  return { id, name: 'open_sections', arguments: JSON.stringify({ section_keys: [section], reason: 'to look it up' }) };
}

export function answerWithText(text: string): ProviderTurn {
  return { kind: 'answer', text };
}

export function answerWithCalls(...calls: readonly ProviderToolUse[]): ProviderTurn {
  return { kind: 'answer', calls };
}
