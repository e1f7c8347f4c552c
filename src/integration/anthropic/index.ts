export {
  AnthropicAdapter,
  type AnthropicClient,
  type AnthropicOptions,
  type MessageParameters,
} from './AnthropicAdapter.js';
export type { CacheLifetime } from './markCache.js';
