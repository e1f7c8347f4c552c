import type { FeedbackProvider, FeedbackTrigger } from '../interface/FeedbackProvider.js';

/**
 * Gives a fixed text as feedback (docs/contract.md, 10).
 *
 * @example
 * new StaticFeedback('AGENTS.md exists now: read it before you continue.', { fileCreated: 'AGENTS.md' })
 */
export class StaticFeedback implements FeedbackProvider {
  readonly name = 'static';

  constructor(
    readonly text: string,
    readonly trigger: FeedbackTrigger,
  ) {}

  provide(): string {
    return this.text;
  }
}
