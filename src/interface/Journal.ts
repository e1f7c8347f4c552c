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
  /** The system message, so that a continued run says the same. */
  readonly text: string;
  /** The session's state then. */
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

/** A call ended. Written before anything of it is committed: what is recorded is never repeated. */
export interface CallEnded {
  readonly kind: 'call';
  readonly turn: number;
  /** In the turn, from 0. */
  readonly position: number;
  readonly name: string;
  readonly outcome: OutcomeKind;
  /** How many sections it opened; only of the outcome `expanded`. */
  readonly opened?: number | undefined;
  /** What the model reads, before any guidance. */
  readonly text: string;
  /** The session's state afterwards; null when the call did not succeed, and so has changed nothing. */
  readonly session: JsonValue;
}

/** A feedback provider added guidance to what the model reads of a call; written after the call was committed. */
export interface CallGuided {
  readonly kind: 'feedback';
  readonly turn: number;
  readonly position: number;
  /** Which of the tool's providers spoke, from 0. */
  readonly by: number;
  /** What it said. */
  readonly text: string;
}

/** The completion checkers have judged an answer. */
export interface AnswerJudged {
  readonly kind: 'verdict';
  readonly turn: number;
  readonly complete: boolean;
  /** What the checker said that refused; empty when none did. */
  readonly feedback: string;
}

/** One line of a journal. */
export type JournalEntry = RunBegan | ModelAnswered | CallEnded | CallGuided | AnswerJudged;

/**
 * Port to where a run is recorded, so that it can be continued when its process dies. Synchronous: an entry must be safe
 * before the run goes on, and nothing may come in between (docs/contract.md, 16).
 */
export interface Journal {
  /** Everything that was recorded, in order. */
  entries(): readonly JournalEntry[];
  /** Returns once the entry would survive the process. */
  append(entry: JournalEntry): void;
}
