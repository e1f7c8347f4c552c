import type { CallListener } from '../../dispatch/CallListener.js';
import type { Redaction } from '../../dispatch/Redaction.js';
import type { ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';
import type { RunStep, EmitStep } from '../../interface/RunStep.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import { holdsSecrets } from '../../schema/secrets.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { SectionExpansions } from '../SectionExpansions.js';

/** `RunStep` without the turn. */
type Untimed<S = RunStep> = S extends RunStep ? Omit<S, 'turn'> : never;

/** Emits the steps of a run to its stream, without secrets; the run waits until they are read (docs/contract.md, 16). */
export class RunEmitter implements CallListener {
  readonly #tellStep: EmitStep;
  readonly #redaction: Redaction;
  readonly #sectionExpansions: SectionExpansions;
  #turn = 0;
  #hasSpoken = false;

  constructor(tellStep: EmitStep, redaction: Redaction, sectionExpansions: SectionExpansions) {
    this.#tellStep = tellStep;
    this.#redaction = redaction;
    this.#sectionExpansions = sectionExpansions;
  }

  /** Starts a turn, before its request: the steps that follow belong to it. */
  enter(turn: number): void {
    this.#turn = turn;
    this.#hasSpoken = false;
  }

  spoke(text: string): Promise<void> {
    this.#hasSpoken = true;
    return this.#tell({ kind: 'text', text });
  }

  /** Emits a part of an answer that is being streamed. */
  async streamed(part: Exclude<ModelPart, { readonly kind: 'response' }>): Promise<void> {
    if (part.kind === 'text') return this.spoke(part.text);
    const tool = part.kind === 'tool_input' ? this.#sectionExpansions.toolsByName.get(part.name) : undefined;
    const params = tool?.metadata.params ?? null;
    // A part of a secret cannot be recognised.
    if (params !== null && holdsSecrets(params)) return;
    await this.#tell(part);
  }

  retries(problem: string, waitMs: number): Promise<void> {
    this.#hasSpoken = false;
    return this.#tell({ kind: 'retry', waitMs, problem: this.#redaction.recorded(problem) });
  }

  /** Emits an answer that was not streamed in parts, such as a recorded one, as one text. */
  async answered({ text, toolCalls, finishReason, usage }: ModelResponse): Promise<void> {
    if (!this.#hasSpoken && text !== null && text !== '') await this.spoke(text);
    const calls = toolCalls.map((call) => this.#shown(call));
    await this.#tell({ kind: 'answer', text, toolCalls: calls, finishReason, usage });
  }

  began(call: ToolCall): Promise<void> {
    return this.#tell({ kind: 'tool_started', call: this.#shown(call) });
  }

  ended(call: ToolCall, { kind: outcome, result, text }: ToolOutcome): Promise<void> {
    const ended = { outcome, success: result.success, text: this.#redaction.recorded(text) };
    return this.#tell({ kind: 'tool_ended', call: this.#shown(call), ...ended });
  }

  /** @param before the rendering before the calls of the turn */
  opened(before: RenderedPrompt): Promise<void> {
    const now = this.#sectionExpansions.rendered.visibility;
    const sections = Object.entries(before.visibility).flatMap(([path, visibility]) =>
      visibility === 'summary' && now[path] === 'full' ? [path] : [],
    );
    return this.#tell({ kind: 'sections_opened', sections });
  }

  noted(text: string): Promise<void> {
    return this.#tell({ kind: 'note', text: this.#redaction.recorded(text) });
  }

  #tell(step: Untimed): Promise<void> {
    return this.#tellStep(Object.freeze({ ...step, turn: this.#turn }));
  }

  #shown(call: ToolCall): ToolCall {
    return this.#redaction.call(call, this.#sectionExpansions.toolsByName.get(call.name));
  }
}
