import { Field } from '../../decorator/Param.js';

/** The statuses of a step. While its plan is active, any status may follow any other (docs/contract.md, 11). */
export const stepStatuses = ['pending', 'in_progress', 'done'] as const;

/** One of `stepStatuses`. */
export type StepStatus = (typeof stepStatuses)[number];

/** One step of a plan. Frozen: a changed step is a new object (docs/contract.md, 11). */
export class PlanStep {
  @Field({ description: 'Number of the step, from 1', name: 'step_id', integer: true })
  readonly stepId!: number;

  @Field('What is to be done, 1-500 characters')
  readonly title!: string;

  @Field({ description: 'How far it is', enum: stepStatuses })
  readonly status!: StepStatus;

  static of(stepId: number, title: string, status: StepStatus = 'pending'): PlanStep {
    return Object.freeze(Object.assign(new PlanStep(), { stepId, title, status }));
  }

  /** Renders `2. [in_progress] Ask the customer`, always on one line. */
  render(): string {
    return `${String(this.stepId)}. [${this.status}] ${this.title.replace(/\s+/g, ' ')}`;
  }
}
