import { ToolRefusal } from '../../error/toolErrors.js';
import type { ToolContext } from '../../tool/ToolContext.js';
import { Plan } from './Plan.js';
import { MAX_PLAN_STEPS, MAX_STEP_CHARS } from '../limits.js';

/** @throws ToolRefusal without a plan */
export function requirePlan({ session }: ToolContext): Plan {
  const plan = session.slice(Plan).latest();
  if (plan === undefined) throw new ToolRefusal('There is no plan yet. Write one with planning_setup_plan first.');
  return plan;
}

/** @throws ToolRefusal without a plan, or if it is completed */
export function requireActivePlan(context: ToolContext): Plan {
  const plan = requirePlan(context);
  if (plan.status === 'active') return plan;
  throw new ToolRefusal(
    'The plan is completed and cannot be changed any more. For further work, write a new one with planning_setup_plan.',
  );
}

/**
 * Returns the text without surrounding white space.
 *
 * @param what the name of the text, at the beginning of a sentence
 * @throws ToolRefusal if it is then empty, or longer than 500 characters
 */
export function trimText(what: string, text: string): string {
  const trimmedText = text.trim();
  if (trimmedText === '')
    throw new ToolRefusal(`${what} is blank. Say in 1-${String(MAX_STEP_CHARS)} characters what it is about.`);
  if (trimmedText.length > 10 * MAX_STEP_CHARS)
    throw new ToolRefusal(
      `${what} has more than ${String(10 * MAX_STEP_CHARS)} characters. Shorten it to at most ${String(MAX_STEP_CHARS)}.`,
    );
  // Counts code points: half a surrogate pair is not a character.
  const length = Array.from(trimmedText).length;
  if (length <= MAX_STEP_CHARS) return trimmedText;
  throw new ToolRefusal(`${what} has ${String(length)} characters. Shorten it to at most ${String(MAX_STEP_CHARS)}.`);
}

/**
 * Trims the titles of new steps.
 *
 * @param present number of steps that the plan already has
 * @throws ToolRefusal for the first unusable title, or for more steps than a plan may have
 */
export function trimTitles(titles: readonly string[], present = 0): readonly string[] {
  const steps = present + titles.length;
  if (steps > MAX_PLAN_STEPS)
    throw new ToolRefusal(
      `The plan would have ${String(steps)} steps, more than ${String(MAX_PLAN_STEPS)}. Put several into one, or write a new plan.`,
    );
  return titles.map((title, index) => trimText(`Title ${String(index + 1)} of ${String(titles.length)}`, title));
}

/** @throws ToolRefusal if the plan has no such step */
export function requireStep({ steps }: Plan, stepId: number): void {
  if (steps.some((step) => step.stepId === stepId)) return;
  const there =
    steps.length === 0
      ? 'The plan has no steps yet. Add some with planning_add_step.'
      : `Steps are numbered from 1, and the last one is ${String(steps.length)}.`;
  throw new ToolRefusal(`There is no step ${String(stepId)}. ${there}`);
}
