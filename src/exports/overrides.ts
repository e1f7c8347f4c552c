// Overrides of the texts of a prompt: the port, stores, descriptors.
export { PromptOverridesError, type OverridesErrorDetails } from '../error/PromptOverridesError.js';
export type {
  ExampleOverride,
  OverridesStore,
  PromptAddress,
  PromptOverrides,
  SectionOverride,
  ToolOverride,
} from '../interface/OverridesStore.js';
export type { PromptDescriptor, SectionDescriptor, ToolDescriptor } from '../override/getDescriptor.js';
export { FileOverridesStore } from '../override/FileOverridesStore.js';
export { InMemoryOverridesStore } from '../override/InMemoryOverridesStore.js';
export type { PromptTexts, TagOptions } from '../override/PromptTexts.js';
