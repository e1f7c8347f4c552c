export type { Constructor, JsonSchema, JsonValue, Ref } from './common/types.js';
export type { ErrorCode } from './error/remedies.js';
export type { Finding } from './error/Finding.js';
export { ContainerError, SessionError } from './error/infrastructureErrors.js';
export { ApprovalPendingError, type PendingCall } from './error/ApprovalPendingError.js';
export { BudgetExceededError } from './error/BudgetExceededError.js';
export { ThrottleError } from './error/ThrottleError.js';
export { OutputParseError } from './error/OutputParseError.js';
export { PromptError, PromptEvaluationError, PromptRenderError, PromptValidationError } from './error/PromptError.js';
export {
  DeadlineExceededError,
  ReadOnlyViolationError,
  ToolRefusal,
  ToolValidationError,
  TransactionClosedError,
  type ParamIssue,
} from './error/toolErrors.js';
export { ToolwrightError } from './error/ToolwrightError.js';
export { VisibilityExpansionRequired } from './error/VisibilityExpansionRequired.js';
export type { ContentPart } from './value/ContentPart.js';
export type { Message } from './value/Message.js';
export type { ToolCall } from './value/ToolCall.js';
export type { OutcomeKind, ToolOutcome } from './value/ToolOutcome.js';
export { ToolResult } from './value/ToolResult.js';
export type { Usage } from './value/Usage.js';
export type { Clock } from './interface/ports.js';
export type { Logger } from './interface/ports.js';
export type { ModelAdapter, ModelRequest, ModelResponse } from './interface/ModelAdapter.js';
export type { RunMetadata } from './interface/CallContext.js';
export type { NestedResponse, RunHandle } from './interface/RunHandle.js';
export type { SliceOp } from './interface/SliceOp.js';
export type { Snapshotable } from './interface/Transactional.js';
export type { BeginOptions, StateChange, Transactional } from './interface/Transactional.js';
export { Budget, type BudgetLimits } from './limit/Budget.js';
export { BudgetTracker } from './limit/BudgetTracker.js';
export { Deadline } from './limit/Deadline.js';
export { systemClock } from './limit/clocks.js';
export { ToolContext } from './tool/ToolContext.js';
export type { ToolExample, ToolHandler } from './tool/ToolHandler.js';
export type { ParamOptions } from './metadata/args/ParamMetadataArgs.js';
export type {
  Disclosure,
  HookInput,
  PromptOptions,
  SearchOptions,
  SectionOptions,
} from './metadata/args/SectionMetadataArgs.js';
export { SectionVisibility } from './value/SectionVisibility.js';
export type { ToolOptions } from './metadata/args/ToolMetadataArgs.js';
export type { ToolHints } from './value/ToolHints.js';
export { Ctx } from './decorator/Ctx.js';
export { definePrompt, defineSection, defineTool, type ToolDefinition } from './decorator/define.js';
export { md } from './decorator/md.js';
export { Field, Param } from './decorator/Param.js';
export { Prompt } from './decorator/Prompt.js';
export { Reducer } from './decorator/Reducer.js';
export { Section } from './decorator/Section.js';
export { sectionWith } from './decorator/sectionWith.js';
export { Tool } from './decorator/Tool.js';
export { Session, type SessionOptions } from './session/Session.js';
export type { SessionJson } from './session/sessionJson.js';
export { SessionSnapshot } from './session/SessionSnapshot.js';
export { SliceOps } from './session/slice/SliceOps.js';
export { bind } from './resource/bind.js';
export { callTransaction } from './resource/callTransaction.js';
export type { BoundPrompt, RenderOptions } from './prompt/BoundPrompt.js';
export type { RenderedPrompt, RenderedSection } from './prompt/RenderedPrompt.js';
export type { RenderedTool } from './prompt/RenderedTool.js';
export { readTranscript, writeTranscript } from './evaluate/transcript.js';
export type { CallOptions, EvaluateOptions, PromptResponse, RunEvent } from './evaluate/RunOptions.js';
export type { PromptStream } from './evaluate/stream/PromptStream.js';
export type { StreamEvent } from './evaluate/RunOptions.js';
export type { Application } from './application/Application.js';
export type { ApplicationOptions, Limits } from './application/ApplicationOptions.js';
export { createApplication } from './application/createApplication.js';
