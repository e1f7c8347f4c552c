/** How the model is asked to go about planning (docs/contract.md, 11). */
export const PlanningStrategy = Object.freeze({
  /** Plans as it goes along; nothing more is asked of it. */
  REACT: 'react',
  /** Outlines the whole plan before it acts, and keeps it up to date after each step. */
  PLAN_ACT_REFLECT: 'plan_act_reflect',
  /** Breaks the goal into sub-problems, chooses tools for each, and brings the results together. */
  GOAL_DECOMPOSE_ROUTE_SYNTHESISE: 'goal_decompose_route_synthesise',
});

/** One of the values of `PlanningStrategy`. */
export type PlanningStrategy = (typeof PlanningStrategy)[keyof typeof PlanningStrategy];
