import type { Approver } from 'toolwright/policies';
import type { OptionNames } from 'toolwright/internal';
import type { ProgramFault } from './ExecutionResult.js';
import type { Sandbox } from './Sandbox.js';

/**
 * The check before a program runs. `types`: everything that the compiler finds, and unknown tools; `syntax` and `off`: only
 * constructs that programs must not contain, such as imports.
 */
export type CheckLevel = 'types' | 'syntax' | 'off';

/** Returns a hint for the model in place of the built-in one; null or undefined keeps that. */
export type ErrorHint = (error: ProgramFault, code: string) => string | null | undefined;

/** Limits on programs in progress. Programs that wait for a place, for an approval or for their check count as well. */
export interface ProgramQuotas {
  /** In the sandbox; 256 by default. */
  readonly total?: number | undefined;
  /** Of this toolkit or prompt; 128 by default. */
  readonly perToolkit?: number | undefined;
  /** Over one session; 32 by default. */
  readonly perSession?: number | undefined;
  /** For all runs with the same `runMetadata.principal`; 32 by default. */
  readonly perPrincipal?: number | undefined;
}

export const quotaNames: OptionNames<ProgramQuotas> = { total: 1, perToolkit: 1, perSession: 1, perPrincipal: 1 };

/** Options for describing, checking and running programs; all have defaults (docs/contract.md, 19). */
export interface ProgramOptions {
  /** Text before the declarations, in the texts for the model. */
  readonly preamble?: string | undefined;
  /** Text after the rules, in the texts for the model. */
  readonly postamble?: string | undefined;
  /** Shows the model the types of results, so that a program can chain calls; off by default. */
  readonly assistToolChaining?: boolean | undefined;
  /** Wall-clock limit of one program in milliseconds, without the time spent waiting for approvals; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Megabytes of memory that a program may use; 64 by default. */
  readonly memoryMb?: number | undefined;
  /** Maximum number of tool calls of one program; 1,000 by default. */
  readonly maxCalls?: number | undefined;
  /** Maximum number of concurrent tool calls of one program; `maxCalls` by default. */
  readonly maxConcurrency?: number | undefined;
  /** Denied calls after which a program ends, since it does nothing but ask; 10 by default. */
  readonly maxDenials?: number | undefined;
  /** Limits on programs in progress; a further one is refused (E667), and may be run again later. */
  readonly quotas?: ProgramQuotas | undefined;
  /** Maximum size, in bytes, of the output, and of the value as shown to the model; the rest is cut. 65,536 by default. */
  readonly maxOutputBytes?: number | undefined;
  /** By default `types` if TypeScript is installed, else `syntax`. */
  readonly check?: CheckLevel | undefined;
  /** The engine; by default one QuickJS sandbox for the whole process. */
  readonly sandbox?: Sandbox | undefined;
  readonly errorHint?: ErrorHint | undefined;
  /** Decides on calls that require an approval, in place of the application's approver. */
  readonly approver?: Approver | undefined;
  /** Seeds `Math.random` of programs, so that it is repeatable. */
  readonly seed?: number | undefined;
}

export const programOptionNames: OptionNames<ProgramOptions> = {
  preamble: 1,
  postamble: 1,
  assistToolChaining: 1,
  timeoutMs: 1,
  memoryMb: 1,
  maxCalls: 1,
  maxConcurrency: 1,
  maxDenials: 1,
  quotas: 1,
  maxOutputBytes: 1,
  check: 1,
  sandbox: 1,
  errorHint: 1,
  approver: 1,
  seed: 1,
};
