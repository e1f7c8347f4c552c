// Durable runs: started in one process, finished in any.
export { openRuns } from './runs/openRuns.js';
export { limitRequests, type LimitRequestsOptions, type SharedLimiter } from './runs/limitRequests.js';
export { MemoryRuns } from './memory/MemoryRuns.js';
export { Runs } from './runs/Runs.js';
export type { PruneOptions } from './runs/sql/SqlStore.js';
export type { DurableHealth } from './runs/readHealth.js';
export type { PreviewOptions, QuestionPreview } from './runs/previewQuestion.js';
export { DurableRun } from './runs/DurableRun.js';
export type {
  PreparedRun,
  RetryRunOptions,
  RunsOptions,
  StartOptions,
  SteerOptions,
  VersionPolicy,
} from './runs/RunsOptions.js';
export type { CarryJob, EngineHealth, EngineJob, RunEngine } from './runs/RunEngine.js';
export {
  type ChatChanges,
  type ChatCondition,
  type ChatPage,
  type ChatRecord,
  type ChatRecords,
  type DurableStore,
  type NewChat,
  type NewRun,
  type OpenQuestion,
  type QuestionFilter,
  type RecordChanges,
  type RecordCondition,
  type RunFilter,
  type RecordOutline,
  type RunRecord,
  type RunRecords,
  type RunsOverview,
  type RunStatus,
  type TenantFilter,
  type WithinChange,
} from 'toolwright/internal';
