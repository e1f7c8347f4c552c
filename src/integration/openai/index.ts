export {
  OpenAIChatAdapter,
  type ChatParameters,
  type OpenAIChatClient,
  type OpenAIChatOptions,
} from './OpenAIChatAdapter.js';
