/** The ways of planning that the section can ask the model for (docs/contract.md, 11). */
export const PlanningStrategy = Object.freeze({
  /** Plans while it works; the section asks for nothing more. */
  REACT: 'react',
  /** Outlines the whole plan before it acts, and keeps it up to date after each step. */
  PLAN_ACT_REFLECT: 'plan_act_reflect',
  /** Breaks the goal into sub-problems, chooses tools for each, and brings the results together. */
  GOAL_DECOMPOSE_ROUTE_SYNTHESISE: 'goal_decompose_route_synthesise',
});

/** One of the values of `PlanningStrategy`. */
export type PlanningStrategy = (typeof PlanningStrategy)[keyof typeof PlanningStrategy];
