import { Param } from '../../decorator/Param.js';
import { stepStatuses, type StepStatus } from './Plan.js';

// Lengths are described and not declared: the handlers check them after trimming, and after checking that there is a
// plan.

/** The ways of planning that the section can ask the model for (docs/contract.md, 11). */
export const PlanningStrategy = Object.freeze({
  /** Plans while it works. The section asks for nothing more. */
  REACT: 'react',
  /** Outlines the whole plan before it acts, and keeps it up to date after each step. */
  PLAN_ACT_REFLECT: 'plan_act_reflect',
  /** Breaks the goal into sub-problems, chooses tools for each, and brings the results together. */
  GOAL_DECOMPOSE_ROUTE_SYNTHESISE: 'goal_decompose_route_synthesise',
});

/** One of the values of `PlanningStrategy`. */
export type PlanningStrategy = (typeof PlanningStrategy)[keyof typeof PlanningStrategy];

/** Params of the planning section. */
export class PlanningParams {
  @Param({ description: 'How to go about planning', enum: PlanningStrategy })
  strategy: PlanningStrategy = PlanningStrategy.REACT;
}

/** The arguments of `planning_setup_plan`. */
export class SetupPlanParams {
  @Param('What is to be achieved, 1-500 characters')
  objective!: string;

  @Param({
    description: 'Titles of the first steps in order, 1-500 characters each; none if they are not known yet',
    name: 'initial_steps',
    type: [String],
  })
  initialSteps: readonly string[] = [];
}

/** The arguments of `planning_add_step`. */
export class AddStepParams {
  @Param({ description: 'Titles of the steps to add in order, at least one, 1-500 characters each', type: [String] })
  steps!: readonly string[];
}

/** The arguments of `planning_update_step`. */
export class UpdateStepParams {
  @Param({ description: 'Number of the step, from 1', name: 'step_id', integer: true })
  stepId!: number;

  @Param({ description: 'Another title, 1-500 characters; left out, it stays', type: String, optional: true })
  title?: string | undefined;

  @Param({ description: 'Another status; left out, it stays', enum: stepStatuses, optional: true })
  status?: StepStatus | undefined;
}
