import type { FeedbackProvider, FeedbackTrigger } from '../interface/FeedbackProvider.js';

/**
 * Feedback that always says the same (docs/contract.md, 10).
 *
 * @example
 * new StaticFeedback('AGENTS.md is there now: read it before you go on.', { fileCreated: 'AGENTS.md' })
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
