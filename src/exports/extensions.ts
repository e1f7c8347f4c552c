// Writing extensions of prompts, as `toolwright/code` is one.
export type {
  ExtensionTool,
  NamedTool,
  PromptAddition,
  PromptExtension,
  ToolObjection,
} from '../metadata/PromptExtension.js';
