// Extensions of prompts, such as `toolwright/code`.
export type {
  ExtensionTool,
  NamedTool,
  PromptAddition,
  PromptExtension,
  ToolObjection,
} from '../metadata/PromptExtension.js';
