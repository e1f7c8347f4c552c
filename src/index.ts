export type {
  AbstractConstructor,
  Awaitable,
  ClassOrThunk,
  Constructor,
  JsonSchema,
  JsonValue,
  Ref,
} from './common/types.js';
export { codes, type CodeEntry, type ErrorCode } from './error/codes.js';
export type { Finding } from './error/Finding.js';
export {
  CircularDependencyError,
  ContainerError,
  DuplicateBindingError,
  ProviderError,
  ResourceBusyError,
  ResourceCloseError,
  ResourceError,
  SessionError,
  UnboundResourceError,
} from './error/infrastructureErrors.js';
export { ApprovalPendingError, type PendingCall } from './error/ApprovalPendingError.js';
export { BudgetExceededError, type BudgetDimension } from './error/BudgetExceededError.js';
export { PromptOverridesError, type OverridesErrorDetails } from './error/PromptOverridesError.js';
export { ThrottleError, type ThrottleDetails, type ThrottleKind } from './error/ThrottleError.js';
export { FilesystemError, type FilesystemErrorKind } from './error/FilesystemError.js';
export { OutputParseError, type InvalidOutput } from './error/OutputParseError.js';
export { ParseError } from './error/ParseError.js';
export { ProgramError } from './error/ProgramError.js';
export {
  PromptError,
  PromptEvaluationError,
  PromptRenderError,
  PromptValidationError,
  type EvaluationPhase,
  type RenderErrorDetails,
} from './error/PromptError.js';
export {
  DeadlineExceededError,
  ReadOnlyViolationError,
  ToolRefusal,
  ToolValidationError,
  TransactionClosedError,
  type ParamIssue,
} from './error/toolErrors.js';
export { ToolwrightError, type ErrorDetails } from './error/ToolwrightError.js';
export { VisibilityExpansionRequired, type ExpansionRequest } from './error/VisibilityExpansionRequired.js';
export type { Message } from './value/Message.js';
export { RejectedToolParams } from './value/RejectedToolParams.js';
export type { ToolCall } from './value/ToolCall.js';
export type { CallEffect, FailureKind, OutcomeKind, ToolOutcome } from './value/ToolOutcome.js';
export { ToolResult, type ToolResultFields } from './value/ToolResult.js';
export type { SectionCost } from './value/SectionCost.js';
export type { NativeContent } from './value/NativeContent.js';
export type { Usage } from './value/Usage.js';
export type { ApprovalAnswer, ApprovalDecision, ApprovalRule, Approver } from './interface/Approver.js';
export type { CallContext, CallInfo } from './interface/CallContext.js';
export type { Clock } from './interface/Clock.js';
export type { CompletionChecker, CompletionVerdict, FinalAnswer } from './interface/CompletionChecker.js';
export type { ContainedHandler, ContainerAdapter } from './interface/ContainerAdapter.js';
export type { FeedbackProvider, FeedbackTrigger } from './interface/FeedbackProvider.js';
export { Filesystem } from './interface/Filesystem.js';
export type {
  DeleteOptions,
  EditOptions,
  EditResult,
  FileEntry,
  FileStat,
  FilesystemSnapshot,
  GlobOptions,
  GrepMatch,
  GrepOptions,
  MkdirOptions,
  ReadOptions,
  ReadResult,
  WriteMode,
  WriteOptions,
  WriteResult,
} from './interface/Filesystem.js';
export type { IdSource } from './interface/IdSource.js';
export type {
  InterceptedToolCall,
  InterceptedInvocation,
  InterceptedProgram,
  InterceptedRequest,
  InterceptedRun,
  Interceptor,
  Next,
} from './interface/Interceptor.js';
export type {
  AnswerJudged,
  CallEnded,
  CallGuided,
  Journal,
  JournalEntry,
  ModelAnswered,
  RunBegan,
} from './interface/Journal.js';
export type { Logger } from './interface/Logger.js';
export type {
  FinishReason,
  ModelAdapter,
  ModelPart,
  ModelRequest,
  ModelResponse,
  LoweredToolSchema,
  OutputSchema,
  SchemaLoss,
  SchemaOptions,
  SchemaTarget,
  ToolSchema,
} from './interface/ModelAdapter.js';
export type {
  ExampleOverride,
  OverridesStore,
  PromptAddress,
  PromptOverrides,
  SectionOverride,
  ToolOverride,
} from './interface/OverridesStore.js';
export type { PromptView, RenderedView, SectionView, ToolView } from './interface/PromptView.js';
export type { ResourceBinding, ResourceLifetime, ResourceScope } from './interface/ResourceBinding.js';
export type { RunMetadata } from './interface/RunMetadata.js';
export type { NestedResponse, RunHandle } from './interface/RunHandle.js';
export type { RunStep } from './interface/RunStep.js';
export type { DeadlineView, RunScope } from './interface/RunScope.js';
export type { SessionPort, SlicePort } from './interface/SessionPort.js';
export type { ReducerFunction, ReducerContext, SliceOp, SliceView } from './interface/SliceOp.js';
export type {
  ClassSchema,
  JsonSchemaConverter,
  JsonSchemaRequest,
  StandardIssue,
  StandardPathElement,
  StandardProps,
  StandardResult,
  StandardSchema,
} from './interface/StandardSchema.js';
export type { TokenEstimator } from './interface/TokenEstimator.js';
export type { ParsedCall, PolicyDecision, ToolPolicy } from './interface/ToolPolicy.js';
export type { Snapshotable } from './interface/Snapshotable.js';
export type { Transactional } from './interface/Transactional.js';
export { approximateTokens } from './limit/approximateTokens.js';
export { Budget, type BudgetLimits } from './limit/Budget.js';
export { BudgetTracker, type ConsumedTokens, type LimitState } from './limit/BudgetTracker.js';
export { Deadline } from './limit/Deadline.js';
export { systemClock } from './limit/SystemClock.js';
export { InProcessEventBus, type DispatchResult, type EventBus, type Subscriber } from './event/EventBus.js';
export { FeedbackGiven, type FeedbackGivenFields } from './event/FeedbackGiven.js';
export {
  PromptExecuted,
  PromptRendered,
  type PromptExecutedFields,
  type PromptRenderedFields,
} from './event/promptEvents.js';
export { SectionsRequested, type SectionsRequestedFields } from './event/SectionsRequested.js';
export { ToolInvoked, type EventHead, type Expansion, type ToolInvokedFields } from './event/ToolInvoked.js';
export { ToolProgressed, type ToolProgress, type ToolProgressedFields } from './event/ToolProgressed.js';
export { ToolsRendered, type ToolsRenderedFields } from './event/ToolsRendered.js';
export { ToolContext } from './tool/ToolContext.js';
export type { ToolExample, ToolHandler, ToolRenderableResult, ToolReturn } from './tool/ToolHandler.js';
export type { GuardrailOptions } from './metadata/args/GuardrailOptions.js';
export type { ParamOptions, StringFormat } from './metadata/args/ParamMetadataArgs.js';
export type {
  Disclosure,
  HeadingStyle,
  HookInput,
  PromptOptions,
  SectionOptions,
} from './metadata/args/SectionMetadataArgs.js';
export { SectionVisibility } from './value/SectionVisibility.js';
export type { OutputOf, OutputReference } from './metadata/args/OutputReference.js';
export type { ToolHints, ToolOptions, ToolParams } from './metadata/args/ToolMetadataArgs.js';
export type {
  ExtensionTool,
  NamedTool,
  PromptAddition,
  PromptExtension,
  ToolObjection,
} from './metadata/PromptExtension.js';
export type { ToolMetadata } from './metadata/ToolMetadata.js';
export type { ToolCaller } from './value/ToolCaller.js';
export type { EnumReference, TypeReference, ValueOf } from './metadata/args/TypeReference.js';
export type { OutputContainer } from './metadata/OutputMetadata.js';
export type { MarkdownTemplate, TemplateSource } from './metadata/Template.js';
export { Ctx } from './decorator/Ctx.js';
export { definePrompt, defineSection, defineTool, type ToolDefinition } from './decorator/define.js';
export { md } from './decorator/md.js';
export { Field, Param, type ParameterParamDecorator, type PropertyParamDecorator } from './decorator/Param.js';
export { Prompt } from './decorator/Prompt.js';
export { Reducer } from './decorator/Reducer.js';
export { Section, type SectionDecorator } from './decorator/Section.js';
export { sectionWith } from './decorator/sectionWith.js';
export { Tool, type ToolDecorator } from './decorator/Tool.js';
export { PlainContainer } from './container/PlainContainer.js';
export { fromTypedi, type TypediContainers, type TypediOptions } from './container/TypediContainer.js';
export { dump } from './schema/dump.js';
export { parse } from './schema/parse.js';
export { parseOutput } from './schema/parseOutput.js';
export { schemaOf, type SchemaOfOptions } from './schema/schemaOf.js';
export type { ParseOptions } from './schema/slowParser.js';
export { toStandardSchema } from './schema/standard/toStandardSchema.js';
export { appendAll, replaceLatest, replaceLatestBy, upsertBy } from './session/reducers.js';
export {
  Session,
  type RegistrableSlice,
  type SessionFromJsonOptions,
  type SessionOptions,
  type SessionToJsonOptions,
} from './session/Session.js';
export type { SessionJson } from './session/sessionJson.js';
export { SessionSnapshot } from './session/SessionSnapshot.js';
export type { SliceDeclaration } from './session/SliceRegistry.js';
export { VisibilityOverrides } from './session/VisibilityOverrides.js';
export {
  ClearAllVisibilityOverrides,
  ClearVisibilityOverride,
  SetVisibilityOverride,
} from './session/visibilityEvents.js';
export { SliceOps } from './session/SliceOps.js';
export type { SlicePolicy } from './session/SliceRules.js';
export { HostFilesystem, type HostFilesystemOptions } from './resource/filesystem/HostFilesystem.js';
export { InMemoryFilesystem } from './resource/filesystem/InMemoryFilesystem.js';
export { bind, type BindOptions, type BoundPrototype, type BoundProvider, type BoundValue } from './resource/bind.js';
export { allow, deny } from './policy/decisions.js';
export { PolicyRecord } from './policy/PolicyRecord.js';
export { RateLimitPolicy, type RateLimitOptions } from './policy/RateLimitPolicy.js';
export { ReadBeforeWritePolicy, type ReadBeforeWriteOptions } from './policy/ReadBeforeWritePolicy.js';
export { SequentialDependencyPolicy } from './policy/SequentialDependencyPolicy.js';
export { AllOf } from './policy/AllOf.js';
export { AnyOf } from './policy/AnyOf.js';
export { DeadlineFeedback, type DeadlineFeedbackOptions } from './policy/DeadlineFeedback.js';
export { FileOutputChecker, type FileOutputOptions } from './policy/FileOutputChecker.js';
export { StaticFeedback } from './policy/StaticFeedback.js';
export type { ParamsData } from './prompt/ParamsBinding.js';
export type { RedactHook } from './dispatch/Redaction.js';
export type { PromptDescriptor, SectionDescriptor, ToolDescriptor } from './override/descriptor.js';
export { FileOverridesStore } from './override/FileOverridesStore.js';
export { InMemoryOverridesStore } from './override/InMemoryOverridesStore.js';
export type { PromptTexts, TagOptions } from './override/PromptTexts.js';
export type { Instance, BoundPrompt, RenderOptions } from './prompt/BoundPrompt.js';
export type { ParamDescription, RenderedPrompt, RenderedSection } from './prompt/RenderedPrompt.js';
export type { RenderedTool } from './prompt/RenderedTool.js';
export { readTranscript, writeTranscript } from './evaluate/transcript.js';
export { FileJournal } from './evaluate/FileJournal.js';
export type { CallOptions, EvaluateOptions, PromptResponse, RunEvent } from './evaluate/RunOptions.js';
export type { PromptStream } from './evaluate/stream/PromptStream.js';
export type { StreamEvent } from './evaluate/stream/StreamEvent.js';
export type { Application, Outcomes } from './application/Application.js';
export type { ApplicationOptions, Limits } from './application/ApplicationOptions.js';
export { createApplication } from './application/createApplication.js';
export type { OwnLoopOptions } from './application/tools/ExternalCallHandler.js';
export { toStandardTools, type StandardTool, type StandardToolCall } from './application/tools/toStandardTools.js';
