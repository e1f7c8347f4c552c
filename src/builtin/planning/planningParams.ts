import { Param } from '../../decorator/Param.js';
import { PlanningStrategy } from './PlanningStrategy.js';
import { stepStatuses, type StepStatus } from './PlanStep.js';

// Lengths are told and not declared: the contract has them checked after whether there is a plan at all, and trimmed before.

/** How the planning section is set up. */
export class PlanningParams {
  @Param({ description: 'How to go about planning', enum: PlanningStrategy })
  strategy: PlanningStrategy = PlanningStrategy.REACT;
}

/** What `planning_setup_plan` takes. */
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

/** What `planning_add_step` takes. */
export class AddStepParams {
  @Param({ description: 'Titles of the steps to add in order, at least one, 1-500 characters each', type: [String] })
  steps!: readonly string[];
}

/** What `planning_update_step` takes. */
export class UpdateStepParams {
  @Param({ description: 'Number of the step, from 1', name: 'step_id', integer: true })
  stepId!: number;

  @Param({ description: 'Another title, 1-500 characters; left out, it stays', type: String, optional: true })
  title?: string | undefined;

  @Param({ description: 'Another status; left out, it stays', enum: stepStatuses, optional: true })
  status?: StepStatus | undefined;
}
