import { Section } from '../../decorator/Section.js';
import type { HookInput } from '../../metadata/args/SectionMetadataArgs.js';
import { type PlanningParams, PlanningStrategy } from './planningParams.js';

// These sections have no own params: the params of their parent decide whether they are enabled.

/** The text that `PLAN_ACT_REFLECT` adds. */
@Section({
  key: 'plan-act-reflect',
  title: 'Plan, Act, Reflect',
  template: `
    Outline the entire plan before executing any tools: every step, in the order in which you mean to take them.
    Then work through the steps one after the other.
    Update the step status after each tool call or completed step, and look at what you have learned before you go on: add the steps that turned out to be missing, and reword those that turned out to be different.
  `,
})
export class PlanActReflectSection {
  enabled({ params }: HookInput<PlanningParams>): boolean {
    return params.strategy === PlanningStrategy.PLAN_ACT_REFLECT;
  }
}

/** The text that `GOAL_DECOMPOSE_ROUTE_SYNTHESISE` adds. */
@Section({
  key: 'goal-decomposition',
  title: 'Goal, Parts, Synthesis',
  template: `
    Restate the goal in your own words as the objective of the plan.
    Break it into sub-problems, one step for each, before routing tools to each of them: decide for every sub-problem which tools can answer it, and only then call them.
    At the end, synthesise the results into one answer to the goal, and say where they contradict each other or leave something open.
  `,
})
export class GoalDecompositionSection {
  enabled({ params }: HookInput<PlanningParams>): boolean {
    return params.strategy === PlanningStrategy.GOAL_DECOMPOSE_ROUTE_SYNTHESISE;
  }
}
