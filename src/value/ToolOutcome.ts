import type { ToolResult } from './ToolResult.js';

/** How a call ended when it did not succeed. */
export type FailureKind = 'failed' | 'rejected' | 'denied' | 'timed_out' | 'conflicted' | 'expanded' | 'unknown';

/** How a call ended. `rejected`: wrong arguments; `unknown`: no such tool; `expanded`: a control signal left the dispatcher. */
export type OutcomeKind = 'succeeded' | FailureKind;

/** Whether anything of a call that was cut short may have happened. */
export type CallEffect = 'none' | 'unknown';

/** What one tool call came to: the result, and the text that the model reads. */
export type ToolOutcome<T = unknown> =
  | {
      readonly kind: 'succeeded';
      readonly result: ToolResult<T>;
      readonly text: string;
    }
  | {
      readonly kind: FailureKind;
      readonly result: ToolResult<T>;
      readonly text: string;
      /** What was thrown, as it was thrown. */
      readonly error?: unknown;
      /** Set where the handler may have had an effect outside the transaction. */
      readonly effect?: CallEffect | undefined;
      /** Why, in the words of the tool or of whoever refused, without advice to a model; set for calls of programs. */
      readonly reason?: string | undefined;
    };
