export { AiSdkAdapter, type AiSdkOptions } from './AiSdkAdapter.js';
export type {
  AiFunctionTool,
  AiJson,
  AiLanguageModel,
  AiMessage,
  AiModelCall,
  AiModelParameters,
  AiProviderOptions,
  AiProviderTool,
  AiTextPart,
  AiToolCallPart,
  AiToolResultPart,
} from './AiLanguageModel.js';
export { toAiTools, type AiTool, type AiToolExecution, type AiToolOutput, type AiToolsOptions } from './toAiTools.js';
