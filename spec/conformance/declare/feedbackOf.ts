import { DeadlineFeedback, StaticFeedback, type FeedbackProvider, type FeedbackTrigger } from 'toolwright/policies';
import type { FeedbackSpec } from '../format';

/** A feedback provider of a case as one of the framework's own. */
export function feedbackOf({ static: text, deadline, trigger: when }: FeedbackSpec): FeedbackProvider {
  const trigger: FeedbackTrigger = { everyCalls: when.every_n_calls, fileCreated: when.on_file_created };
  return text === undefined
    ? new DeadlineFeedback({ trigger, warningThresholdSeconds: deadline?.warning_threshold_seconds })
    : new StaticFeedback(text, trigger);
}
