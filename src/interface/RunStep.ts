import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';
import type { FinishReason } from './ModelAdapter.js';

/**
 * An event of a streamed run. `turn` counts the requests to the model from 1. Texts of the model are unchanged; arguments and
 * everything else are as in the transcript, without secrets (docs/contract.md, 16).
 */
export type RunStep = RunStepKind & {
  /**
   * The place in the log of the conversation, from which a client goes on with `after`; undefined for what the log does not hold,
   * such as parts of a text, and without a conversation.
   */
  readonly seq?: number | undefined;
};

type RunStepKind =
  /** The next part of the model's text; the texts of a turn are consecutive. */
  | { readonly kind: 'text'; readonly turn: number; readonly text: string }
  /** The next part of the model's reasoning, where the provider shows it; void after a `retry`, as texts are. */
  | { readonly kind: 'reasoning'; readonly turn: number; readonly text: string }
  /**
   * The next part of the arguments of a call that the model is writing. Unlike everything else about a call, it is shown as it
   * comes: a tool with secret params emits none.
   */
  | {
      readonly kind: 'tool_input';
      readonly turn: number;
      readonly id: string;
      readonly name: string;
      readonly text: string;
    }
  /**
   * The provider failed, and the request is repeated after `waitMs` milliseconds: the texts of this turn so far are void, and
   * its answer restarts.
   */
  | { readonly kind: 'retry'; readonly turn: number; readonly waitMs: number; readonly problem: string }
  /** The model's whole answer to one request, before any of its calls is run; includes the texts of the turn. */
  | {
      readonly kind: 'answer';
      readonly turn: number;
      readonly text: string | null;
      readonly toolCalls: readonly ToolCall[];
      readonly finishReason: FinishReason;
      readonly usage: Usage | undefined;
    }
  /** A call is about to be run. */
  | { readonly kind: 'tool_started'; readonly turn: number; readonly call: ToolCall }
  /** A call was committed or rolled back, or could not be started; `text` is what the model reads of it. */
  | {
      readonly kind: 'tool_ended';
      readonly turn: number;
      readonly call: ToolCall;
      readonly outcome: OutcomeKind;
      readonly success: boolean;
      readonly text: string;
    }
  /** Summarised sections are shown in full from now on. */
  | { readonly kind: 'sections_opened'; readonly turn: number; readonly sections: readonly string[] }
  /** The run sends the model a note of its own: why its answer is refused, or that a limit is near. */
  | { readonly kind: 'note'; readonly turn: number; readonly text: string };

/** Emits one step, and resolves when the run may continue; rejects with the reason why it may not. */
export type EmitStep = (step: RunStep) => Promise<void>;
