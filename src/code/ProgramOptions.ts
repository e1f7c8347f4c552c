import type { Approver } from '../interface/Approver.js';
import type { ProgramFault } from './ExecutionResult.js';
import type { Sandbox } from './Sandbox.js';

/**
 * What is looked at before a program runs. `types`: everything that a compiler finds, and unknown tools; `syntax` and `off`: only
 * what no program may hold, such as imports.
 */
export type CheckLevel = 'types' | 'syntax' | 'off';

/** Words a hint for the model, in place of the built-in one; null or undefined leaves that. */
export type ErrorHint = (error: ProgramFault, code: string) => string | null | undefined;

/** How programs are described, checked and run; everything has a default (docs/contract.md, 17). */
export interface ProgramOptions {
  /** Stands before the declarations in the texts for the model. */
  readonly preamble?: string | undefined;
  /** Stands after the rules in the texts for the model. */
  readonly postamble?: string | undefined;
  /** Shows the model the types of results, so that one program may go on with the result of a call; off by default (docs/tool-chaining.md). */
  readonly assistToolChaining?: boolean | undefined;
  /** Milliseconds of one program by the clock, without the time spent waiting for approvals; 30,000 when left out. */
  readonly timeoutMs?: number | undefined;
  /** Megabytes of memory that a program may use; 64 when left out. */
  readonly memoryMb?: number | undefined;
  /** Tool calls of one program; 1,000 when left out. */
  readonly maxCalls?: number | undefined;
  /** Tool calls of one program that wait at the same time; as many as `maxCalls` when left out. */
  readonly maxConcurrency?: number | undefined;
  /** Bytes that a program may write, and of its value that the model reads; 65,536 when left out. The rest is cut. */
  readonly maxOutputBytes?: number | undefined;
  /** `types` when TypeScript is installed, else `syntax`, when left out. */
  readonly check?: CheckLevel | undefined;
  /** The engine; one of QuickJS for the whole process when left out. */
  readonly sandbox?: Sandbox | undefined;
  readonly errorHint?: ErrorHint | undefined;
  /** Asked about calls that require an approval, in place of the application's. */
  readonly approver?: Approver | undefined;
  /** Makes `Math.random` of programs repeatable. */
  readonly seed?: number | undefined;
}
