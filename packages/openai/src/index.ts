export {
  OpenAIChatAdapter,
  type ChatParameters,
  type OpenAIChatClient,
  type OpenAIChatOptions,
} from './OpenAIChatAdapter.js';
export {
  OpenAIResponsesAdapter,
  type OpenAIResponsesClient,
  type OpenAIResponsesOptions,
  type ResponseParameters,
} from './OpenAIResponsesAdapter.js';
export {
  toOpenAiAgentTools,
  type OpenAIAgentParameters,
  type OpenAIAgentTool,
  type OpenAIAgentToolsOptions,
} from './toOpenAiAgentTools.js';
export { toOpenAiTools, type OpenAITools, type OpenAIToolsOptions } from './toOpenAiTools.js';
