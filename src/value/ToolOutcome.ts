import type { ContentPart } from './ContentPart.js';
import type { ToolChanges } from './Message.js';
import type { ToolResult } from './ToolResult.js';

/** The kinds of outcome of a call that did not succeed. */
export type FailureKind = 'failed' | 'rejected' | 'denied' | 'timed_out' | 'conflicted' | 'expanded' | 'unknown';

/**
 * The kind of an outcome. `rejected`: wrong arguments; `unknown`: the tool does not exist; `expanded`: the dispatcher
 * threw a control signal.
 */
export type OutcomeKind = 'succeeded' | FailureKind;

/**
 * The effect that a failed call may have had outside the session and the resources that join its transaction. `none`:
 * no effect. `keyed`: only an effect that the same call would not have twice. `unknown`: any effect. Derived from the
 * tool's hints: docs/contract.md, 7.10.
 */
export type SideEffect = 'none' | 'keyed' | 'unknown';

/** The outcome of one tool call: its result, and the text that the model reads. */
export type ToolOutcome<T = unknown> =
  | {
      readonly kind: 'succeeded';
      readonly result: ToolResult<T>;
      readonly text: string;
      /** The parts of the result, which the model gets after the text; undefined if there are none. */
      readonly parts?: readonly ContentPart[] | undefined;
    }
  | {
      readonly kind: FailureKind;
      /** Its value can have any type, not only the declared one. */
      readonly result: ToolResult;
      readonly text: string;
      /** The thrown value, unchanged. */
      readonly error?: unknown;
      /** Set if the handler was started. */
      readonly effect?: SideEffect | undefined;
      /**
       * False if changes of the session or of resources may remain, because they could not be undone or were partly
       * kept.
       */
      readonly rolledBack?: false | undefined;
      /** For `expanded`: the paths of the sections that were opened, and their tools. */
      readonly opened?: readonly string[] | undefined;
      readonly tools?: ToolChanges | undefined;
      /**
       * The reason given by the tool or the refusing component, without advice to a model. Set for calls of programs.
       */
      readonly reason?: string | undefined;
    };
