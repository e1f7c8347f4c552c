// A provider for promptfoo, which runs the function of an eval.
export {
  promptfooProvider,
  type PromptfooContext,
  type PromptfooProvider,
  type PromptfooProviderOptions,
  type PromptfooResponse,
  type PromptfooTokens,
} from './promptfooProvider.js';
