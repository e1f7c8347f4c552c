// Durable runs: started in one process, finished in any.
export { openRuns } from './runs/openRuns.js';
export { limitRequests, type LimitRequestsOptions, type SharedLimiter } from './runs/limitRequests.js';
export { Runs } from './runs/Runs.js';
export type { PruneOptions } from './runs/sql/SqlRuns.js';
export type { RunsHealth } from './runs/readHealth.js';
export type { PreviewOptions, QuestionPreview } from './runs/previewQuestion.js';
export { DurableRun } from './runs/DurableRun.js';
export type {
  PreparedRun,
  PrepareRun,
  RetryRunOptions,
  RunsOptions,
  RunToPrepare,
  StartOptions,
  VersionPolicy,
} from './runs/RunsOptions.js';
export type { CarryJob, EngineHealth, EngineJob, RunEngine } from './runs/RunEngine.js';
export {
  type DurableStore,
  type NewRun,
  type OpenQuestion,
  type QuestionFilter,
  type RunChanges,
  type RunCondition,
  type RunFilter,
  type RunOutline,
  type RunRecord,
  type RunRecords,
  type RunsOverview,
  type RunStatus,
  type TenantFilter,
  type WithinChange,
} from 'toolwright/internal';
