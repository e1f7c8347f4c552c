import { DEFAULT_THRESHOLD_SECONDS } from '../common/limits.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import type { CallContext } from '../interface/CallContext.js';
import type { FeedbackProvider, FeedbackTrigger } from '../interface/FeedbackProvider.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { ParsedCall } from '../interface/ToolPolicy.js';

/** Options of `DeadlineFeedback`. */
export interface DeadlineFeedbackOptions {
  readonly trigger: FeedbackTrigger;
  /** With fewer seconds left, the feedback asks the model to finish; 120 when left out. */
  readonly warningThresholdSeconds?: number | undefined;
}

const optionNames: OptionNames<DeadlineFeedbackOptions> = { trigger: 1, warningThresholdSeconds: 1 };

/**
 * Tells the model how much time is left, and to finish when little is left. Silent in a run without a deadline
 * (docs/contract.md, 10).
 *
 * @example
 * new DeadlineFeedback({ trigger: { everySeconds: 60 }, warningThresholdSeconds: 90 })
 */
export class DeadlineFeedback implements FeedbackProvider {
  readonly name = 'deadline';
  readonly trigger: FeedbackTrigger;
  readonly warningThresholdSeconds: number;

  /** @throws PromptError E413 */
  constructor(options: DeadlineFeedbackOptions) {
    requireOptionNames('DeadlineFeedback', options, optionNames);
    const { trigger, warningThresholdSeconds = DEFAULT_THRESHOLD_SECONDS } = options;
    this.trigger = trigger;
    this.warningThresholdSeconds = warningThresholdSeconds;
  }

  provide(_call: ParsedCall, _outcome: ToolOutcome, { deadline }: CallContext): string | undefined {
    if (deadline === null) return undefined;
    const seconds = Math.floor(deadline.remaining / 1_000);
    if (seconds <= 0)
      return 'The time for this task is over. Give your final answer now, and say what remains to be done.';
    const left = `${formatDuration(seconds)} left for this task.`;
    if (seconds >= this.warningThresholdSeconds) return left;
    return `Only ${left} Finish what matters most, begin nothing new, and give your final answer in time, saying what remains to be done.`;
  }
}

/** Formats a duration as `1 h 2 min 3 s`, without parts that are zero. */
function formatDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${String(count)} ${unit}`)
    .join(' ');
}
