export { AnthropicAdapter, type AnthropicOptions, type MessageParameters } from './AnthropicAdapter.js';
export type { AnthropicClient } from './AnthropicClient.js';
export type { CacheLifetime } from './markCache.js';
export {
  toAnthropicTools,
  type AnthropicRunnableTool,
  type AnthropicTools,
  type AnthropicToolsOptions,
} from './toAnthropicTools.js';
