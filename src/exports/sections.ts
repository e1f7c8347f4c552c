// Ready-made sections: plans, long results, and a workspace of files.
export { Plan, PlanStep, type PlanStatus, type StepStatus } from '../builtin/planning/Plan.js';
export { PlanCompleteChecker } from '../builtin/planning/PlanCompleteChecker.js';
export {
  AddStepParams,
  PlanningParams,
  PlanningStrategy,
  SetupPlanParams,
  UpdateStepParams,
} from '../builtin/planning/planningParams.js';
export { PlanningSection } from '../builtin/planning/PlanningSection.js';
export { ReadResultParams, ResultPage, ResultsSection } from '../builtin/results/ResultsSection.js';
export { FilePage } from '../builtin/workspace/FilePage.js';
export { LineFound, LinesFound } from '../builtin/workspace/LinesFound.js';
export {
  EditFileParams,
  GlobParams,
  GrepParams,
  ListParams,
  ReadFileParams,
  RemoveParams,
  WriteFileParams,
} from '../builtin/workspace/workspaceParams.js';
export {
  DirectoryEntry,
  DirectoryListing,
  FileEdited,
  FilesFound,
  FileWritten,
  Removed,
} from '../builtin/workspace/workspaceResults.js';
export { WorkspaceSection } from '../builtin/workspace/WorkspaceSection.js';
