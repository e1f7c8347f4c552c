import type { ToolProgress } from '../../event/ToolProgressed.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { EntryView } from './EntryView.js';
import type { AnswerPart, RunEmitter, RunListener } from './RunEmitter.js';

/** Passes the parts of a run to a listener, without waiting. Its readers get the entries from the log. */
export class DeltaEmitter implements RunEmitter {
  readonly #listener: RunListener;
  readonly #view: EntryView;
  #turn = 0;

  constructor(listener: RunListener, view: EntryView) {
    this.#listener = listener;
    this.#view = view;
  }

  enter(turn: number): void {
    this.#turn = turn;
  }

  emitPart(part: AnswerPart): void {
    if (part.kind === 'tool_input' && !this.#view.showsInput(part.name)) return;
    this.#listener.onDelta({ ...part, turn: this.#turn });
  }

  emitRetry(problem: string, waitMs: number, adapter?: string): void {
    this.#listener.onDelta(this.#view.showRetry(this.#turn, problem, waitMs, adapter));
  }

  onCallBegin(position: number, call: ToolCall): void {
    this.#listener.onDelta(this.#view.showBegun(this.#turn, position, call));
  }

  onProgress(position: number, call: ToolCall, progress: ToolProgress): void {
    this.#listener.onDelta(this.#view.showProgress(this.#turn, position, call, progress));
  }

  onCallEnd(): void {
    this.#listener.onOutcome();
  }
}
