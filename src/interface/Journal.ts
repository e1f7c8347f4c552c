import type { JsonValue } from '../common/types.js';
import type { NativeContent } from '../value/NativeContent.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { OutcomeKind } from '../value/ToolOutcome.js';
import type { Usage } from '../value/Usage.js';
import type { FinishReason } from './ModelAdapter.js';

/** A run began. */
export interface RunBegan {
  readonly kind: 'run';
  readonly version: 1;
  readonly run: string;
  /** `ns/key`. */
  readonly prompt: string;
  /** The system message, so that a continued run sends the same. */
  readonly text: string;
  /** The state of the session at that time. */
  readonly session: JsonValue;
}

/** The model answered a request. */
export interface ModelAnswered {
  readonly kind: 'answer';
  readonly turn: number;
  readonly text: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage?: Usage | undefined;
  readonly native?: NativeContent | undefined;
}

/** A call ended. Written before any of its changes are committed: a recorded call is never repeated. */
export interface CallEnded {
  readonly kind: 'call';
  readonly turn: number;
  /** Position in the turn, from 0. */
  readonly position: number;
  readonly name: string;
  readonly outcome: OutcomeKind;
  /** Number of sections that it opened; only for the outcome `expanded`. */
  readonly opened?: number | undefined;
  /** The text that the model reads, before any feedback. */
  readonly text: string;
  /** The state of the session afterwards; null if the call did not succeed and therefore changed nothing. */
  readonly session: JsonValue;
}

/** A feedback provider added feedback to the text that the model reads of a call; written after the call was committed. */
export interface CallGuided {
  readonly kind: 'feedback';
  readonly turn: number;
  readonly position: number;
  /** Index of the feedback provider among those of the tool, from 0. */
  readonly by: number;
  /** Its feedback. */
  readonly text: string;
}

/** The completion checkers judged an answer. */
export interface AnswerJudged {
  readonly kind: 'verdict';
  readonly turn: number;
  readonly complete: boolean;
  /** The feedback of the checker that refused; empty if none did. */
  readonly feedback: string;
}

/** One line of a journal. */
export type JournalEntry = RunBegan | ModelAnswered | CallEnded | CallGuided | AnswerJudged;

/**
 * Port to the storage that records a run, so that it can be continued if its process dies. Synchronous: an entry must be safe
 * before the run continues, and nothing may come in between (docs/contract.md, 16).
 */
export interface Journal {
  /** All recorded entries, in order. */
  entries(): readonly JournalEntry[];
  /** Appends an entry; returns once the entry would survive the process. */
  append(entry: JournalEntry): void;
}
