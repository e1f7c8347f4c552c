import type { Awaitable } from '../../common/types.js';
import type { TurnListener } from '../../dispatch/TurnDispatcher.js';
import type { ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';
import type { RunDelta, RunEntry } from '../../interface/RunEntry.js';
import type { Conversation } from '../conversation/Conversation.js';

/** A part of an answer that is being streamed. */
export type AnswerPart = Exclude<ModelPart, { readonly kind: 'response' }>;

/** Receives the steps of a run. The run waits for the promises that its methods return. */
export interface RunEmitter extends TurnListener {
  /** Called before the request of a turn. */
  enter(turn: number): void;
  emitPart(part: AnswerPart): Awaitable<void>;
  /** @param adapter the name of another adapter that gets the request; left out if the same one does */
  emitRetry(problem: string, waitMs: number, adapter?: string): Awaitable<void>;
  /** Called once the answer is stored. Left out, as the methods below, by an emitter that only has parts. */
  emitAnswer?(response: ModelResponse): Promise<void>;
  emitEntry?(entry: RunEntry<'note' | 'steering'>): Promise<void>;
  /** Called when the run is parked. */
  emitQuestions?(conversation: Pick<Conversation, 'questions' | 'log'>): Promise<void>;
}

/** Receives the parts of a run as they come. The run does not wait for it. */
export interface RunListener {
  onDelta(delta: RunDelta): void;
  /** Called after the outcome of a call was added to the log, which may store it only with the next answer. */
  onOutcome(): void;
}
