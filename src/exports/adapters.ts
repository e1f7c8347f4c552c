// Adapters for models and containers, and extensions of prompts.
export type { ThrottleDetails, ThrottleKind } from '../error/ThrottleError.js';
export type { FailedRequest } from '../error/createFallbackError.js';
export type { ProviderFailure } from '../error/ProviderFailure.js';
export { fallback } from '../provider/fallback/fallback.js';
export type { CircuitOptions } from '../provider/fallback/Circuit.js';
export type { FallbackOptions } from '../provider/fallback/FallbackAdapter.js';
export type { NativeContent, ToolChanges } from '../value/Message.js';
export type {
  FinishReason,
  ModelPart,
  ModelRoute,
  LoweredToolSchema,
  ModelSettings,
  OutputSchema,
  SchemaLoss,
  SchemaOptions,
  SchemaTarget,
  SentRequest,
  ToolChoice,
  ToolSchema,
} from '../interface/ModelAdapter.js';
export type { TokenEstimator } from '../interface/ports.js';
export { approximateTokens } from '../limit/approximateTokens.js';
export { CircularDependencyError } from '../error/infrastructureErrors.js';
export type { ContainedHandler, ContainerAdapter } from '../interface/ContainerAdapter.js';
export { PlainContainer } from '../container/PlainContainer.js';
export { fromTypedi, type TypediContainers, type TypediOptions } from '../container/TypediContainer.js';
export type {
  ExtensionTool,
  NamedTool,
  PromptAddition,
  PromptExtension,
  ToolObjection,
} from '../metadata/PromptExtension.js';
