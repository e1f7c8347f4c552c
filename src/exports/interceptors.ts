// Interceptors around runs, requests, calls, handlers and programs.
export type {
  InterceptedToolCall,
  InterceptedInvocation,
  InterceptedProgram,
  InterceptedRequest,
  InterceptedRun,
  Interceptor,
  Next,
  ProgramOutcome,
} from '../interface/Interceptor.js';
export type { PrefixMeasure } from '../interface/PrefixMeasure.js';
