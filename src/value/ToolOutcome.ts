import type { ContentPart } from './ContentPart.js';
import type { ToolChanges } from './ToolChanges.js';
import type { ToolResult } from './ToolResult.js';

/** The kinds of outcome of a call that did not succeed. */
export type FailureKind = 'failed' | 'rejected' | 'denied' | 'timed_out' | 'conflicted' | 'expanded' | 'unknown';

/** Kind of outcome. `rejected`: wrong arguments; `unknown`: no such tool; `expanded`: the dispatcher threw a control signal. */
export type OutcomeKind = 'succeeded' | FailureKind;

/** Possible effect of a call that was cut short: none, or unknown. */
export type CallEffect = 'none' | 'unknown';

/** The outcome of one tool call: its result, and the text that the model reads. */
export type ToolOutcome<T = unknown> =
  | {
      readonly kind: 'succeeded';
      readonly result: ToolResult<T>;
      readonly text: string;
      /** What the model gets after the text: the parts of the result; undefined if there are none. */
      readonly parts?: readonly ContentPart[] | undefined;
    }
  | {
      readonly kind: FailureKind;
      /** Its value is whatever the tool gave with the failure, not of the declared type. */
      readonly result: ToolResult;
      readonly text: string;
      /** The thrown value, unchanged. */
      readonly error?: unknown;
      /** Set where the handler may have had an effect outside the transaction. */
      readonly effect?: CallEffect | undefined;
      /** For `expanded`: the tools of the sections that were opened. */
      readonly tools?: ToolChanges | undefined;
      /** The reason given by the tool or the refusing component, without advice to a model; set for calls of programs. */
      readonly reason?: string | undefined;
    };
