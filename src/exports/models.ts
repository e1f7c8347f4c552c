// Types and functions for writing model adapters: requests, responses, and lowering of schemas.
export type { ThrottleDetails, ThrottleKind } from '../error/ThrottleError.js';
export type { NativeContent } from '../value/NativeContent.js';
export type {
  FinishReason,
  ModelPart,
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
export type { ToolChanges } from '../value/ToolChanges.js';
export type { TokenEstimator } from '../interface/TokenEstimator.js';
export { approximateTokens } from '../limit/approximateTokens.js';
