export { ChatController, type ChatRun } from './ChatController.js';
export { fromNest } from './fromNest.js';
export { MountController } from './MountController.js';
export type { NestContainer, NestContainerOptions } from './NestContainer.js';
export { toolCallOf, type NestToolCall } from './toolCallOf.js';
export { Toolwright } from './Toolwright.js';
export { ToolwrightModule, type ToolwrightFeatureOptions } from './ToolwrightModule.js';
export type { ToolwrightModuleExtras, ToolwrightModuleOptions } from './ToolwrightModuleOptions.js';
export { InjectToolwright, toolwrightToken } from './Toolwright.js';
