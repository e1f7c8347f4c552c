import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { Usage } from '../value/Usage.js';
import type { FinishReason } from './ModelAdapter.js';

/**
 * Something that happens in a run, as a stream tells it. `turn` counts the requests to the model from 1. Texts of the model are
 * as they came; arguments and everything else are as in the transcript, secrets taken out (docs/contract.md, 16).
 */
export type RunStep =
  /** The model goes on with its answer; the texts of a turn follow each other. */
  | { readonly kind: 'text'; readonly turn: number; readonly text: string }
  /**
   * The provider failed, and is asked again after `waitMs` milliseconds: the texts of this turn so far are void, and its answer
   * begins anew.
   */
  | { readonly kind: 'retry'; readonly turn: number; readonly waitMs: number; readonly problem: string }
  /** The model's whole answer to one request, before any of its calls is run; the texts of the turn are in it. */
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
  /** The run tells the model something by itself: why its answer is not taken, or that a limit is near. */
  | { readonly kind: 'note'; readonly turn: number; readonly text: string };

/** Tells one step, and resolves when the run may go on; rejects with the reason why it may not. */
export type EmitStep = (step: RunStep) => Promise<void>;
