import type { FeedbackProvider, FeedbackTrigger } from '../interface/FeedbackProvider.js';

/**
 * Gives a fixed text as feedback (docs/contract.md, 10).
 *
 * @example
 * new StaticFeedback('AGENTS.md exists now: read it before you continue.', { fileCreated: 'AGENTS.md' })
 */
export class StaticFeedback implements FeedbackProvider {
  readonly name = 'static';
  readonly text: string;
  readonly trigger: FeedbackTrigger;

  constructor(text: string, trigger: FeedbackTrigger) {
    this.text = text;
    this.trigger = trigger;
  }

  provide(): string {
    return this.text;
  }
}
