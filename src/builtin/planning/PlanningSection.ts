import type { Constructor } from '../../common/types.js';
import { Section } from '../../decorator/Section.js';
import { sectionWith } from '../../decorator/sectionWith.js';
import { Tool } from '../../decorator/Tool.js';
import { ToolRefusal } from '../../error/toolErrors.js';
import type { ParamsData } from '../../prompt/ParamsBinding.js';
import { ToolContext } from '../../tool/ToolContext.js';
import { ToolResult } from '../../value/ToolResult.js';
import { Plan } from './Plan.js';
import { AddStepParams, PlanningParams, SetupPlanParams, UpdateStepParams } from './planningParams.js';
import { requireActivePlan, requirePlan, requireStep, trimText, trimTitles } from './planningRules.js';
import { GoalDecompositionSection, PlanActReflectSection } from './strategySections.js';

const inSession = { destructive: false, openWorld: false } as const;

/**
 * Lets the model keep a plan in the session, with tools to write, extend, update and read it. The plan is the only
 * value of the slice `Plan`, and is rolled back with a failed call (docs/contract.md, 11).
 *
 * @example
 * @Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection, PlanningSection] })
 * class SupportDesk {}
 *
 * session.slice(Plan).latest()?.status;
 */
@Section({
  key: 'planning',
  title: 'Planning',
  params: PlanningParams,
  children: [PlanActReflectSection, GoalDecompositionSection],
  template: `
    Keep a plan when the work takes several steps, when later steps depend on what earlier ones bring to light, or when you are asked for one.
    Do without a plan for what you can answer at once or with a call or two.

    - \`planning_setup_plan\` writes a plan: the objective, and the steps to it as far as you know them. It replaces the plan that is there.
    - \`planning_add_step\` adds steps at the end of the plan when the work turns out to need more.
    - \`planning_update_step\` changes the title or the status of one step.
    - \`planning_read_plan\` shows the plan and changes nothing.

    Steps are numbered from 1 in the order in which they were added, and a step keeps its number, its \`step_id\`.
    Mark a step \`in_progress\` when you begin it and \`done\` as soon as it is finished; \`pending\` is what it was before.
    The plan completes by itself when all of its steps are \`done\`. A completed plan can be read or replaced by a new one, but not changed.
    Every call answers with the whole plan, so there is no need to read it after a change.
  `,
})
export class PlanningSection {
  /**
   * Returns the section with another strategy than `REACT`.
   *
   * @example
   * sections: [OrdersSection, PlanningSection.with({ strategy: PlanningStrategy.PLAN_ACT_REFLECT })]
   */
  static with(this: void, params: ParamsData<PlanningParams>): Constructor {
    return sectionWith(PlanningSection, params);
  }

  /** Writes a plan, which replaces the current one. */
  @Tool({
    name: 'planning_setup_plan',
    description: 'Write a new plan: its objective and, if known, its first steps. Replaces the plan that is there.',
    result: Plan,
    // The plan that was there is lost.
    hints: { ...inSession, destructive: true, idempotent: true },
  })
  setUpPlan({ objective, initialSteps }: SetupPlanParams, context: ToolContext): ToolResult<Plan> {
    const plan = Plan.of(trimText('The objective', objective)).withSteps(trimTitles(initialSteps));
    return keep(plan, context, 'The plan is set up.');
  }

  /** Adds pending steps at the end of the plan. */
  @Tool({
    name: 'planning_add_step',
    description: 'Add one or more steps at the end of the plan.',
    result: Plan,
    hints: { ...inSession, idempotent: false },
  })
  addStep({ steps }: AddStepParams, context: ToolContext): ToolResult<Plan> {
    const plan = requireActivePlan(context);
    const titles = trimTitles(steps, plan.steps.length);
    if (titles.length === 0) throw new ToolRefusal('No step was given. Give the title of at least one in steps.');
    return keep(plan.withSteps(titles), context, titles.length === 1 ? 'The step is added.' : 'The steps are added.');
  }

  /** Changes title or status of one step. */
  @Tool({
    name: 'planning_update_step',
    description: 'Change the title or the status of one step. The plan completes when all steps are done.',
    result: Plan,
    // A new title replaces the old one.
    hints: { ...inSession, destructive: true, idempotent: true },
  })
  updateStep({ stepId, title, status }: UpdateStepParams, context: ToolContext): ToolResult<Plan> {
    const plan = requireActivePlan(context);
    const given = title?.trim() ? trimText('The title', title) : undefined;
    if (given === undefined && status === undefined)
      throw new ToolRefusal('Nothing to change was given. Give a title, a status, or both.');
    requireStep(plan, stepId);
    const updated = plan.withStep(stepId, { title: given, status });
    const completed = updated.status === 'completed' ? ' All steps are done: the plan is completed.' : '';
    return keep(updated, context, `Step ${String(stepId)} is updated.${completed}`);
  }

  /** Shows the plan. */
  @Tool({
    name: 'planning_read_plan',
    description: 'Show the plan: its objective, its status, and its steps with theirs.',
    result: Plan,
    hints: { ...inSession, readOnly: true, idempotent: true },
  })
  readPlan(context: ToolContext): Plan {
    return requirePlan(context);
  }
}

/** Keeps only one plan, even if the slice is not installed and no reducer gets the value of the tool. */
function keep(plan: Plan, { session }: ToolContext, message: string): ToolResult<Plan> {
  session.slice(Plan).seed(plan);
  return ToolResult.ok(plan, message);
}
