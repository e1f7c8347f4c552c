// Types and functions for writing model adapters: requests, responses, and lowering of schemas.
export type { ThrottleDetails, ThrottleKind } from '../error/ThrottleError.js';
export type { NativeContent } from '../value/NativeContent.js';
export type {
  FinishReason,
  ModelPart,
  LoweredToolSchema,
  OutputSchema,
  SchemaLoss,
  SchemaOptions,
  SchemaTarget,
  ToolSchema,
} from '../interface/ModelAdapter.js';
export type { TokenEstimator } from '../interface/TokenEstimator.js';
export { approximateTokens } from '../limit/approximateTokens.js';
