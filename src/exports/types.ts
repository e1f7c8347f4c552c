// Types that occur in public signatures, for code that has to name them.
export type { AbstractConstructor, Awaitable, ClassOrThunk } from '../common/types.js';
export type { BudgetDimension } from '../error/BudgetExceededError.js';
export type { EvaluationPhase, RenderErrorDetails } from '../error/PromptError.js';
export type { ErrorDetails } from '../error/ToolwrightError.js';
export type { ExpansionRequest } from '../error/VisibilityExpansionRequired.js';
export type { SideEffect, FailureKind } from '../value/ToolOutcome.js';
export type { ContentSource } from '../value/ContentPart.js';
export type { ToolResultFields } from '../value/ToolResult.js';
export type { IdSource } from '../interface/ports.js';
export type { PromptView, RenderedView, SectionView, ToolView } from '../interface/PromptView.js';
export type { ModelPrice } from '../limit/computeCost.js';
export type { ConsumedTokens, LimitState } from '../limit/BudgetTracker.js';
export type { ToolRenderableResult, ToolReturn } from '../tool/ToolHandler.js';
export type { StringFormat } from '../metadata/args/ParamMetadataArgs.js';
export type { HeadingStyle } from '../metadata/args/SectionMetadataArgs.js';
export type { OutputOf, OutputReference } from '../metadata/args/OutputReference.js';
export type { ToolParams, ToolRetry } from '../metadata/args/ToolMetadataArgs.js';
export type { ToolMetadata } from '../metadata/ToolMetadata.js';
export type { RepairMode, ToolCaller } from '../value/ToolCall.js';
export type {
  EnumReference,
  ResultMismatch,
  ResultOptions,
  TypeReference,
  ValueOf,
} from '../metadata/args/TypeReference.js';
export type { OutputContainer } from '../metadata/OutputMetadata.js';
export type { MarkdownTemplate, TemplateSource } from '../metadata/Template.js';
export type { ParameterParamDecorator, PropertyParamDecorator } from '../decorator/Param.js';
export type { PromptDecorator } from '../decorator/Prompt.js';
export type { SectionDecorator } from '../decorator/Section.js';
export type { ToolDecorator } from '../decorator/Tool.js';
export type { ParamsData } from '../prompt/ParamsBinding.js';
export type { RedactHook } from '../dispatch/redact/SecretRedaction.js';
export type { Instance } from '../prompt/BoundPrompt.js';
export type { ParamDescription } from '../prompt/RenderedPrompt.js';
export type { Outcomes } from '../application/Application.js';
