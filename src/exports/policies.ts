// Policies, approvals, feedback, completion checks, and interceptors.
export type { ApprovalAnswer, ApprovalDecision, ApprovalRule, Approver } from '../interface/Approver.js';
export type { CallContext, CallInfo } from '../interface/CallContext.js';
export type { CompletionChecker, CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
export type { FeedbackProvider, FeedbackTrigger } from '../interface/FeedbackProvider.js';
export type { DeadlineView, RunScope } from '../interface/RunScope.js';
export type { ParsedCall, PolicyDecision, ToolPolicy } from '../interface/ToolPolicy.js';
export type { GuardrailOptions } from '../metadata/args/ToolMetadataArgs.js';
export { allow, deny } from '../policy/decisions.js';
export { PolicyRecord } from '../session/PolicyRecord.js';
export { RateLimitPolicy, type RateLimitOptions } from '../policy/RateLimitPolicy.js';
export { ReadBeforeWritePolicy, type ReadBeforeWriteOptions } from '../policy/ReadBeforeWritePolicy.js';
export { ScopePolicy } from '../policy/ScopePolicy.js';
export { SequentialDependencyPolicy } from '../policy/SequentialDependencyPolicy.js';
export { AllOf } from '../policy/AllOf.js';
export { AnyOf } from '../policy/AnyOf.js';
export { DeadlineFeedback, type DeadlineFeedbackOptions } from '../policy/DeadlineFeedback.js';
export { FileOutputChecker, type FileOutputOptions } from '../policy/FileOutputChecker.js';
export { StaticFeedback } from '../policy/StaticFeedback.js';
export type {
  InterceptedToolCall,
  InterceptedInvocation,
  InterceptedProgram,
  InterceptedRequest,
  InterceptedRun,
  Interceptor,
  Next,
  PrefixMeasure,
  ProgramOutcome,
} from '../interface/Interceptor.js';
