export { AiSdkAdapter, type AiSdkOptions } from './AiSdkAdapter.js';
export type {
  AiFileData,
  AiFilePart,
  AiFunctionTool,
  AiJson,
  AiLanguageModel,
  AiMessage,
  AiModelRequest,
  AiModelParameters,
  AiOutputPart,
  AiProviderOptions,
  AiProviderTool,
  AiSupportedUrls,
  AiTextPart,
  AiToolCallPart,
  AiToolResultPart,
} from './AiLanguageModel.js';
export { toAiTools, type AiTool, type AiToolExecution, type AiToolOutput, type AiToolsOptions } from './toAiTools.js';
