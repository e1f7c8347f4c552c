import type { TurnListener } from '../../dispatch/TurnDispatcher.js';
import type { Redaction } from '../../dispatch/redact/Redaction.js';
import type { ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';
import type { RunStep, EmitStep } from '../../interface/RunStep.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { Message } from '../../value/Message.js';
import type { RunLog } from '../conversation/RunLog.js';
import type { SectionExpansions } from '../SectionExpansions.js';

/** `RunStep` without the turn. */
type Untimed<S = RunStep> = S extends RunStep ? Omit<S, 'turn'> : never;

/** What an emitter hides, and what it leaves out. */
export interface EmitterOptions {
  readonly redaction: Redaction;
  /** The `seq` of the last event that the client has; 0 when left out. */
  readonly after?: number | undefined;
  /** Finds the places of events in the log; undefined for a run without a log. */
  readonly seqOf: ReturnType<RunLog['trackPlaces']> | undefined;
}

/** Emits the steps of a run to its stream, without secrets; the run waits until they are read (docs/contract.md, 16). */
export class StepEmitter implements TurnListener {
  readonly #emitStep: EmitStep;
  readonly #redaction: Redaction;
  readonly #seqOf: EmitterOptions['seqOf'];
  readonly #after: number;
  readonly #sectionExpansions: SectionExpansions;
  #turn = 0;
  #hasSpoken = false;
  /** True once the last event that the client has is past. */
  #isNew: boolean;

  constructor(
    emitStep: EmitStep,
    sectionExpansions: SectionExpansions,
    { redaction, after = 0, seqOf }: EmitterOptions,
  ) {
    this.#emitStep = emitStep;
    this.#redaction = redaction;
    this.#sectionExpansions = sectionExpansions;
    this.#seqOf = seqOf;
    this.#after = after;
    this.#isNew = after === 0;
  }

  /** Starts a turn, before its request: the steps that follow belong to it. */
  enter(turn: number): void {
    this.#turn = turn;
    this.#hasSpoken = false;
  }

  emitText(text: string): Promise<void> {
    this.#hasSpoken = true;
    return this.#emit({ kind: 'text', text });
  }

  /** Emits a part of an answer that is being streamed. */
  async emitPart(part: Exclude<ModelPart, { readonly kind: 'response' }>): Promise<void> {
    if (part.kind === 'text') return this.emitText(part.text);
    if (part.kind === 'reasoning') return this.#emit(part);
    const tool = this.#sectionExpansions.toolsByName.get(part.name);
    // A part of a secret, or of a text that the hook removes, cannot be recognised; one of a call through a bridge belongs to an unknown tool.
    if (this.#redaction.hasHook) return;
    if (tool === undefined || (tool.metadata.params !== null && holdsSecrets(tool.metadata.params))) return;
    await this.#emit(part);
  }

  emitRetry(problem: string, waitMs: number): Promise<void> {
    this.#hasSpoken = false;
    return this.#emit({ kind: 'retry', waitMs, problem: this.#redaction.redact(problem) });
  }

  /** Emits an answer that was not streamed in parts, such as a recorded one, as one text. */
  async emitAnswer(response: ModelResponse): Promise<void> {
    const { text, toolCalls, finishReason, usage } = response;
    const seq = this.#seqOf?.(response);
    this.#isNew ||= seq !== undefined && seq > this.#after;
    if (!this.#hasSpoken && text !== null && text !== '') await this.emitText(text);
    const calls = toolCalls.map((call) => this.#redactCall(call));
    await this.#emit({ kind: 'answer', text, toolCalls: calls, finishReason, usage, seq });
  }

  onCallBegin(call: ToolCall): Promise<void> {
    return this.#emit({ kind: 'tool_started', call: this.#redactCall(call) });
  }

  onCallEnd(call: ToolCall, toolOutcome: ToolOutcome): Promise<void> {
    const { kind: outcome, result, text } = toolOutcome;
    const seq = this.#seqOf?.(toolOutcome);
    const ended = { outcome, success: result.success, text: this.#redaction.redact(text), seq };
    return this.#emit({ kind: 'tool_ended', call: this.#redactCall(call), ...ended });
  }

  /** @param before the rendering before the calls of the turn */
  emitOpened(before: RenderedPrompt): Promise<void> {
    const now = this.#sectionExpansions.rendered.visibility;
    const sections = Object.entries(before.visibility).flatMap(([path, visibility]) =>
      visibility === 'summary' && now[path] === 'full' ? [path] : [],
    );
    return this.#emit({ kind: 'sections_opened', sections });
  }

  emitNote(message: Message & { readonly content: string }): Promise<void> {
    const seq = this.#seqOf?.(message);
    return this.#emit({ kind: 'note', text: this.#redaction.redact(message.content), seq });
  }

  async #emit({ seq, ...step }: Untimed): Promise<void> {
    if (!this.#isNew) {
      if (seq === undefined || seq <= this.#after) {
        this.#isNew = seq === this.#after;
        return;
      }
      this.#isNew = true;
    }
    await this.#emitStep(Object.freeze({ ...step, turn: this.#turn, ...(seq === undefined ? {} : { seq }) }));
  }

  #redactCall(call: ToolCall): ToolCall {
    return this.#redaction.call(call, this.#sectionExpansions.toolsByName);
  }
}
