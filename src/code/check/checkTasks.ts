import type { ProgramFault } from '../ExecutionResult.js';
import type { ReadOutcome } from './readProgram.js';
import type { CheckedDeclarations } from './types/TypeCheck.js';

/** What the thread of checks is asked to do, one thing at a time. */
export type CheckTask =
  | { readonly task: 'read'; readonly source: string }
  | {
      readonly task: 'types';
      /** A program that could be read. */
      readonly source: string;
      readonly declarations: CheckedDeclarations;
      /** Whether the source holds types. */
      readonly isTyped: boolean;
    };

/** What it sends back: first that it can begin, then one answer to each task. */
export type CheckMessage =
  | { readonly kind: 'ready' }
  /** A library that reads programs could not be loaded. */
  | { readonly kind: 'unable'; readonly problem: string }
  | { readonly kind: 'read'; readonly outcome: ReadOutcome }
  /** Null where nothing is wrong. */
  | { readonly kind: 'types'; readonly fault: ProgramFault | null }
  /** No package has the compiler's API; the reason completes "check: 'types' needs …". */
  | { readonly kind: 'untyped'; readonly reason: string };
