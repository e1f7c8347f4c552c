import type { ModelResponse } from '../../interface/ModelAdapter.js';
import type { ToolProgress } from '../../event/ToolProgressed.js';
import type { ProgressDelta, RunDelta, RunEntry } from '../../interface/RunEntry.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { createCallId } from '../conversation/log/listOpenCalls.js';
import { createEndEntry } from '../conversation/log/restoreOutcome.js';
import type { Conversation } from '../conversation/Conversation.js';
import type { RunLog } from '../conversation/log/RunLog.js';
import type { EntryView } from './EntryView.js';
import type { AnswerPart, RunEmitter } from './RunEmitter.js';
import type { EmitStep, StreamStep } from '../RunOptions.js';

/** Emits the entries of a run and their parts to its stream; the run waits until they are read (docs/contract.md, 16). */
export class StepEmitter implements RunEmitter {
  readonly #emitStep: EmitStep;
  readonly #view: EntryView;
  readonly #seqOf: ReturnType<RunLog['trackPlaces']> | undefined;
  readonly #after: number;
  #turn = 0;
  #hasSpoken = false;
  /** By call, while its progress waits to be read: newer progress; undefined without any. */
  readonly #progress = new Map<string, (RunDelta & ProgressDelta) | undefined>();
  /** True once the last event that the client has is past. */
  #isNew: boolean;

  /**
   * @param seqOf finds the places of events in the log; undefined for a run without a log
   * @param after the `seq` of the last event that the client has
   */
  constructor(emitStep: EmitStep, view: EntryView, seqOf: ReturnType<RunLog['trackPlaces']> | undefined, after = 0) {
    this.#emitStep = emitStep;
    this.#view = view;
    this.#seqOf = seqOf;
    this.#after = after;
    this.#isNew = after === 0;
  }

  /** Starts a turn, before its request: the events that follow belong to it. */
  enter(turn: number): void {
    this.#turn = turn;
    this.#hasSpoken = false;
  }

  async emitPart(part: AnswerPart): Promise<void> {
    if (part.kind === 'tool_input' && !this.#view.showsInput(part.name)) return;
    this.#hasSpoken ||= part.kind === 'text';
    await this.#emit({ ...part, turn: this.#turn });
  }

  emitRetry(problem: string, waitMs: number, adapter?: string): Promise<void> {
    this.#hasSpoken = false;
    return this.#emit(this.#view.showRetry(this.#turn, problem, waitMs, adapter));
  }

  /** Emits an answer. If it was not streamed in parts, as a recorded one, its text comes before it as one part. */
  async emitAnswer(response: ModelResponse): Promise<void> {
    const { text } = response;
    const seq = this.#seqOf?.(response);
    this.#isNew ||= seq !== undefined && seq > this.#after;
    if (!this.#hasSpoken && text !== null && text !== '') await this.emitPart({ kind: 'text', text });
    await this.#show({ ...response, kind: 'answer', turn: this.#turn }, seq);
  }

  onCallBegin(position: number, call: ToolCall): Promise<void> {
    return this.#emit(this.#view.showBegun(this.#turn, position, call));
  }

  /** The handler does not wait: if it reports faster than the stream is read, only its newest progress is kept. */
  onProgress(position: number, call: ToolCall, progress: ToolProgress): void {
    const event = this.#view.showProgress(this.#turn, position, call, progress);
    const isSending = this.#progress.has(event.call);
    this.#progress.set(event.call, isSending ? event : undefined);
    if (!isSending) void this.#sendProgress(event);
  }

  async #sendProgress(first: RunDelta & ProgressDelta): Promise<void> {
    const { call } = first;
    try {
      for (let next: typeof first | undefined = first; next !== undefined; next = this.#progress.get(call)) {
        this.#progress.set(call, undefined);
        await this.#emit(next);
      }
    } catch {
      // The run has ended.
    } finally {
      this.#progress.delete(call);
    }
  }

  onCallEnd(position: number, call: ToolCall, outcome: ToolOutcome): Promise<void> {
    const id = createCallId(this.#turn, position);
    this.#progress.delete(id);
    const entry = createEndEntry(id, call, outcome, { spoke: [], session: undefined });
    return this.#show(entry, this.#seqOf?.(outcome));
  }

  emitEntry(entry: RunEntry<'note' | 'steering'>): Promise<void> {
    return this.#show(entry, this.#seqOf?.(entry));
  }

  /** Emits the questions that a parked run waits for; the reader may have left. */
  async emitQuestions({ questions, log }: Pick<Conversation, 'questions' | 'log'>): Promise<void> {
    try {
      for (const question of questions) await this.#show(question, log.entries.lastIndexOf(question) + 1);
    } catch {
      // The run has ended, with the questions in its log.
    }
  }

  #show(
    entry: RunEntry<'answer' | 'outcome' | 'note' | 'steering' | 'question'>,
    seq: number | undefined,
  ): Promise<void> {
    return this.#emit(this.#view.show(entry, seq) as StreamStep);
  }

  async #emit(event: StreamStep): Promise<void> {
    if (!this.#isNew) {
      const seq = 'seq' in event ? event.seq : undefined;
      if (seq === undefined || seq <= this.#after) {
        this.#isNew = seq === this.#after;
        return;
      }
      this.#isNew = true;
    }
    await this.#emitStep(Object.freeze(event));
  }
}
