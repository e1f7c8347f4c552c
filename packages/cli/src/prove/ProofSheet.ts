import type { ToolHints } from 'toolwright';
import type { FAULTS } from '../options.js';

/** A fault that `prove` puts a tool under. */
export type Fault = (typeof FAULTS)[number];

/**
 * What a tool left after a fault: `none` nothing, `keyed` an effect that its key keeps from happening twice, `unknown` a failure that names
 * its own effect as unknown, `trace` a change, `skipped` if the fault cannot be applied.
 */
export type Mark = 'none' | 'keyed' | 'unknown' | 'trace' | 'skipped';

/** The result of one fault for one tool. */
export interface FaultResult {
  readonly fault: Fault;
  readonly mark: Mark;
  /** One sentence about the result. */
  readonly note: string;
  /** The changes that stayed, one line each. */
  readonly trace: readonly string[];
  /** The claim of the tool that does not hold; undefined if all hold. */
  readonly broken?: string | undefined;
  /** True if the fault could not be applied for a reason outside the tool, such as a missing package. */
  readonly isUnable?: true | undefined;
}

/** The results of one tool. */
export interface ToolProof {
  readonly tool: string;
  readonly hints: ToolHints;
  /** The arguments of its calls as JSON, and their origin; undefined if no call of it succeeded. */
  readonly arguments?: string | undefined;
  readonly origin?: 'example' | 'run' | 'schema' | undefined;
  /** Why no fault was applied; undefined if some were. */
  readonly skipped?: string | undefined;
  readonly results: readonly FaultResult[];
}

/** The proof sheet of a prompt. */
export interface ProofSheet {
  /** `ns/key`. */
  readonly prompt: string;
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly tools: readonly ToolProof[];
  /** Limits of this sheet that its reader must know. */
  readonly notes: readonly string[];
}

/** A result that breaks a claim, with its tool. */
export interface Finding extends FaultResult {
  readonly tool: string;
}

/** Lists the claims that do not hold. */
export function listFindings({ tools }: ProofSheet): readonly Finding[] {
  return tools.flatMap(({ tool, results }) =>
    results.flatMap((result) => (result.broken === undefined ? [] : [{ ...result, tool }])),
  );
}

/** The title of each mark. */
export const MARK_TITLES: Readonly<Record<Mark, string>> = {
  none: 'no trace',
  keyed: 'repeated under a key',
  unknown: 'unknown, and said so',
  trace: 'trace',
  skipped: 'not applied',
};

/** The title of each fault. */
export const FAULT_TITLES: Readonly<Record<Fault, string>> = {
  call: 'call',
  throw: 'throw after each write',
  kill: 'kill',
  timeout: 'timeout',
  cancel: 'cancel',
  double: 'double delivery',
  conflict: 'conflict',
  denied: 'denied approval',
  hostile: 'hostile arguments',
};
