export type { ExecuteOptions, RetryOptions } from './ExecuteOptions.js';
export type {
  ExecutionResult,
  ExecutionStatus,
  NotSerializable,
  ProgramCall,
  ProgramErrorKind,
  ProgramFault,
} from './ExecutionResult.js';
export { extractCode, type ExtractedCode } from './extractCode.js';
export type { AnyFunction } from './KitTool.js';
export type { KitTool } from './KitTool.js';
export type { BegunCall, ProgramEvent } from './ExecutionResult.js';
export type { CheckLevel, ErrorHint, ProgramOptions, ProgramQuotas } from './ProgramOptions.js';
export { programs, type ProgramsOptions } from './programs.js';
export type {
  BridgeAnswer,
  BridgeCall,
  ExceededLimit,
  GuestError,
  GuestValue,
  HoldClock,
  Sandbox,
  SandboxBridge,
  SandboxEnd,
  SandboxLimits,
  SandboxProgram,
  ToolErrorKind,
} from './Sandbox.js';
export { QuickJsSandbox, type QuickJsSandboxOptions } from './sandbox/QuickJsSandbox.js';
export { SandboxError } from './sandbox/SandboxError.js';
export { Toolkit, type ToolkitEntry, type ToolkitFilter, type ToolkitOptions } from './Toolkit.js';
export { toolFrom, type FunctionParams, type FunctionToolOptions } from './toolFrom.js';
export type { ToolFormat } from './toolSchema.js';
export { ProgramError } from 'toolwright/internal';
