import { joinBounded, quote } from '../../common/text.js';
import type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../../interface/CompletionChecker.js';
import type { RunScope } from '../../interface/RunScope.js';
import { Plan } from './Plan.js';

/**
 * Accepts an answer if the plan of the session is completed, or if there is no plan, because short tasks need none
 * (docs/contract.md, 10).
 *
 * @example
 * \@Prompt({ ns: 'desk', key: 'main', sections: [PlanningSection, Desk], completion: [new PlanCompleteChecker()] })
 */
export class PlanCompleteChecker implements CompletionChecker {
  readonly name = 'plan_complete';

  check(_answer: FinalAnswer, { session }: RunScope): CompletionVerdict {
    const plan = session.slice(Plan).latest();
    if (plan === undefined || plan.status === 'completed') return { complete: true };
    const open = plan.steps.filter(({ status }) => status !== 'done');
    return {
      complete: false,
      feedback:
        open.length === 0
          ? 'The plan has no steps yet. Add them with planning_add_step and do them.'
          : `The plan has steps that are not done: ${joinBounded(open.map(({ stepId, title }) => `${String(stepId)} ${quote(title)}`))}. Do them, and set each to done with planning_update_step.`,
    };
  }
}
