// Writing model adapters: what they get, what they give, and how schemas are lowered.
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
