import { Field } from '../../decorator/Param.js';
import { Reducer } from '../../decorator/Reducer.js';
import type { SliceOp } from '../../interface/SliceOp.js';
import { SliceOps } from '../../session/slice/SliceOps.js';
import { MAX_SHOWN_STEPS } from '../limits.js';

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

const planStatuses = ['active', 'completed'] as const;

/** `completed` if a plan has steps and all of them are done. */
export type PlanStatus = (typeof planStatuses)[number];

/**
 * An objective and the steps towards it. Frozen: a changed plan is a new object. The session slice `Plan` holds the one
 * plan of a conversation, whether or not it is installed (docs/contract.md, 11).
 *
 * @example
 * const session = new Session({ slices: [Plan] });
 * session.slice(Plan).latest()?.steps.map(({ title, status }) => `${title}: ${status}`);
 */
export class Plan {
  @Field('What is to be achieved, 1-500 characters')
  readonly objective!: string;

  @Field({ description: 'completed once there are steps and all of them are done', enum: planStatuses })
  readonly status!: PlanStatus;

  @Field({ description: 'The steps, numbered from 1 in this order', type: () => [PlanStep] })
  readonly steps!: readonly PlanStep[];

  /** Creates a plan of these steps. Its status follows from theirs. */
  static of(objective: string, steps: readonly PlanStep[] = []): Plan {
    const isCompleted = steps.length > 0 && steps.every(({ status }) => status === 'done');
    const status: PlanStatus = isCompleted ? 'completed' : 'active';
    return Object.freeze(Object.assign(new Plan(), { objective, status, steps: Object.freeze([...steps]) }));
  }

  /** Returns the plan with more pending steps at its end. Their numbers continue. */
  withSteps(titles: readonly string[]): Plan {
    const added = titles.map((title, index) => PlanStep.of(this.steps.length + index + 1, title));
    return Plan.of(this.objective, [...this.steps, ...added]);
  }

  /** Returns the plan with another title or status of one step. */
  withStep(
    stepId: number,
    change: { readonly title?: string | undefined; readonly status?: StepStatus | undefined },
  ): Plan {
    const steps = this.steps.map((step) =>
      step.stepId === stepId ? PlanStep.of(stepId, change.title ?? step.title, change.status ?? step.status) : step,
    );
    return Plan.of(this.objective, steps);
  }

  /** Replaces the plan in the slice with the dispatched one, such as the value of a tool. */
  @Reducer(() => Plan)
  replacedBy(plan: Plan): SliceOp<Plan> {
    return SliceOps.replace(plan);
  }

  /**
   * Renders objective, status, and one line per step. For a long plan, renders the next open steps and the number of
   * hidden ones.
   */
  render(): string {
    const { objective, status, steps } = this;
    const open = steps.filter((step) => step.status !== 'done');
    const progress = `${String(steps.length - open.length)} of ${String(steps.length)} steps done`;
    const shown = steps.length > MAX_SHOWN_STEPS ? open.slice(0, MAX_SHOWN_STEPS) : steps;
    const [done, later] = [steps.length - open.length, open.length - shown.length];
    const hidden = `Not shown: ${String(done)} steps that are done, ${String(later)} that are not and come later.`;
    return [
      `Objective: ${objective.replace(/\s+/g, ' ')}`,
      `Status: ${status}, ${steps.length === 0 ? 'no steps yet' : progress}`,
      ...shown.map((step) => step.render()),
      ...(shown === steps ? [] : [hidden]),
    ].join('\n');
  }
}
