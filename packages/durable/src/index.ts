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
export type { ChatChanges, ChatCondition, ChatPage, ChatRecord, ChatRecords, NewChat } from './records/ChatRecords.js';
export type {
  DurableStore,
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RecordChanges,
  RecordCondition,
  RunFilter,
  RecordOutline,
  RunRecord,
  RunRecords,
  RunsOverview,
  RunStatus,
  TenantFilter,
  WithinChange,
} from './records/RunRecords.js';
