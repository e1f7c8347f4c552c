import type { ContentPart } from './ContentPart.js';
import type { ToolChanges } from './Message.js';
import type { ToolResult } from './ToolResult.js';

/** The kinds of outcome of a call that did not succeed. */
export type FailureKind = 'failed' | 'rejected' | 'denied' | 'timed_out' | 'conflicted' | 'expanded' | 'unknown';

/** Kind of outcome. `rejected`: wrong arguments; `unknown`: no such tool; `expanded`: the dispatcher threw a control signal. */
export type OutcomeKind = 'succeeded' | FailureKind;

/**
 * What a call that did not succeed may have done outside of the session and the resources that join its transaction: `none`,
 * nothing; `keyed`, nothing that the same call would do again; `unknown`, anything. By the tool's hints: docs/contract.md, 7.10.
 */
export type CallEffect = 'none' | 'keyed' | 'unknown';

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
      /** Set if the handler was started. */
      readonly effect?: CallEffect | undefined;
      /** False if changes of the session or of resources may remain, since they could not be undone or were kept in part. */
      readonly rolledBack?: false | undefined;
      /** For `expanded`: the paths of the sections that were opened, and their tools. */
      readonly opened?: readonly string[] | undefined;
      readonly tools?: ToolChanges | undefined;
      /** The reason given by the tool or the refusing component, without advice to a model; set for calls of programs. */
      readonly reason?: string | undefined;
    };
