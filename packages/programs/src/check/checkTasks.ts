import type { ProgramFault } from '../ExecutionResult.js';
import type { ReadOutcome } from './readProgram.js';
import type { CheckedDeclarations } from './types/TypeCheck.js';

/** A task for the check thread, which handles one at a time. */
export type CheckTask =
  /** Loads the compiler, and has it read its library. */
  | { readonly task: 'load' }
  | { readonly task: 'read'; readonly source: string }
  | {
      readonly task: 'types';
      /** A program that was read without a fault. */
      readonly source: string;
      readonly declarations: CheckedDeclarations;
      /** True if the source contains types. */
      readonly isTyped: boolean;
    };

/** A message of the check thread: first `ready` or `unable`, then one answer per task. */
export type CheckMessage =
  | { readonly kind: 'ready' }
  /** A library that reads programs could not be loaded. */
  | { readonly kind: 'unable'; readonly problem: string }
  /** The compiler is loaded, or was not found. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'read'; readonly outcome: ReadOutcome }
  /** Null if the check found no fault. */
  | { readonly kind: 'types'; readonly fault: ProgramFault | null }
  /** No package provides the compiler's API; the reason completes "check: 'types' needs …". */
  | { readonly kind: 'untyped'; readonly reason: string };
