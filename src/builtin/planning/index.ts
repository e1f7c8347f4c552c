export { Plan, type PlanStatus } from './Plan.js';
export { PlanCompleteChecker } from './PlanCompleteChecker.js';
export { AddStepParams, PlanningParams, SetupPlanParams, UpdateStepParams } from './planningParams.js';
export { PlanningSection } from './PlanningSection.js';
export { PlanningStrategy } from './PlanningStrategy.js';
export { PlanStep, type StepStatus } from './PlanStep.js';
